/**
 * What code draws at random while a life lasts (`Math.random`, `crypto.randomUUID`, `crypto.getRandomValues`), and what it
 * must not touch: memory that threads share, and a wait that would stop the only thread there is.
 */
import type { Chance } from './chance.ts';

/** The types of Node have none of it. */
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (descriptor: { readonly shared?: boolean }) => object };
};

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
  const { Memory } = webAssembly;
  webAssembly.Memory = class extends Memory {
    constructor(descriptor: { readonly shared?: boolean }) {
      if (descriptor?.shared === true) throw refuse('new WebAssembly.Memory({ shared: true })');
      super(descriptor);
    }
  };
  const { wait } = Atomics;
  Atomics.wait = () => {
    throw refuse('Atomics.wait()');
  };
  return () => {
    Math.random = random;
    webAssembly.Memory = Memory;
    Atomics.wait = wait;
    // Those of the prototype show again.
    for (const name of ['getRandomValues', 'randomUUID']) Reflect.deleteProperty(crypto, name);
  };
}

function refuse(what: string): TypeError {
  return new TypeError(`${what} cannot be simulated: when a thread runs does not follow from a seed`);
}
