/**
 * Random numbers for code during a life: `Math.random`, and those of `crypto` and `node:crypto`. Code outside of a
 * life, such as the test runner of the same process, uses the original functions, and so does not change any life.
 */
import nodeCrypto from 'node:crypto';
import type { Clock } from '#base';
import { currentClock } from '#objects';
import { Replacements } from '../replacements.ts';
import type { Chance } from './chance.ts';

/** The current life, and its source of random numbers. */
let life: { readonly clock: Clock; readonly chance: Chance } | undefined;

/**
 * Installed for the duration of a simulation; modules that capture a function when they are loaded need it earlier.
 * `use` sets the source.
 */
export class SeededGlobals {
  readonly #replacements = new Replacements();

  constructor() {
    this.#draw(Math, 'random', (chance) => chance.next('Math.random'));
    this.#draw(crypto, 'getRandomValues', fill);
    this.#draw(crypto, 'randomUUID', drawUuid);
    this.#draw(nodeCrypto, 'randomUUID', drawUuid);
    this.#draw(nodeCrypto, 'randomFillSync', fill);
    this.#draw(nodeCrypto, 'randomBytes', (chance, count) => chance.bytes('randomBytes', count as number));
    this.#draw(nodeCrypto, 'randomInt', (chance, ...bounds) => {
      const [min, max] = (bounds.length === 1 ? [0, ...bounds] : bounds) as [number, number];
      return chance.whole('randomInt', min, max - 1);
    });
    this.#replacements.share();
  }

  /** From now on, code with this clock draws from this source. */
  use(clock: Clock, chance: Chance): void {
    life = { clock, chance };
  }

  /** Node's functions with a callback call it with the result once the running code is done. */
  #draw(place: object, name: string, draw: (chance: Chance, ...args: unknown[]) => unknown): void {
    this.#replacements.replace(place, name, (own) => {
      return function (this: unknown, ...args: unknown[]): unknown {
        if (life === undefined || currentClock() !== life.clock) return Reflect.apply(own, this, args);
        const callback = args.at(-1);
        if (typeof callback !== 'function') return draw(life.chance, ...args);
        const drawn = draw(life.chance, ...args.slice(0, -1));
        return process.nextTick(callback, null, drawn);
      };
    });
  }

  [Symbol.dispose](): void {
    this.#replacements[Symbol.dispose]();
  }
}

function fill(chance: Chance, array: unknown): unknown {
  if (!ArrayBuffer.isView(array)) return array;
  const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  chance.bytes('getRandomValues', bytes.length).copy(bytes);
  return array;
}

function drawUuid(chance: Chance): string {
  const hex = chance.bytes('randomUUID', 16).toString('hex');
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
