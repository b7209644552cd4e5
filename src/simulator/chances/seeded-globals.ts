/** What code draws at random while a life lasts: `Math.random`, `crypto.randomUUID`, `crypto.getRandomValues`. */
import { Chance } from './chance.ts';

/** In place for as long as a simulation lasts; `use` says what is drawn from. */
export class SeededGlobals {
  #chance = new Chance(0);
  readonly #random = Math.random;

  constructor() {
    Math.random = () => this.#chance.next('Math.random');
    crypto.getRandomValues = (array) => {
      if (ArrayBuffer.isView(array))
        this.#chance
          .bytes('getRandomValues', array.byteLength)
          .copy(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    };
    crypto.randomUUID = () => {
      const hex = this.#chance.bytes('randomUUID', 16).toString('hex');
      const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    };
  }

  use(chance: Chance): void {
    this.#chance = chance;
  }

  [Symbol.dispose](): void {
    Math.random = this.#random;
    // Those of the prototype show again.
    for (const name of ['getRandomValues', 'randomUUID']) Reflect.deleteProperty(crypto, name);
  }
}
