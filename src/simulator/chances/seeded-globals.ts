/** What code draws at random while a life lasts: `Math.random`, `crypto.randomUUID`, `crypto.getRandomValues`. */
import type { Chance } from './chance.ts';

export function seedGlobals(chance: Chance): () => void {
  const { random } = Math;
  Math.random = () => chance.next('Math.random');
  crypto.getRandomValues = (array) => {
    if (ArrayBuffer.isView(array))
      chance
        .bytes('getRandomValues', array.byteLength)
        .copy(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    return array;
  };
  crypto.randomUUID = () => {
    const hex = chance.bytes('randomUUID', 16).toString('hex');
    const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return () => {
    Math.random = random;
    // Those of the prototype show again.
    for (const name of ['getRandomValues', 'randomUUID']) Reflect.deleteProperty(crypto, name);
  };
}
