/**
 * The Huffman code of HPACK (RFC 7541, appendix B), decoded by a table: a state is a node of the code tree, and each
 * half-byte leads to another state. No code is shorter than five bits, so half a byte completes at most one symbol.
 */

/** The length of each symbol's code, the last one for the end of a string. The codes follow: they are canonical. */
// oxfmt-ignore
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28,
  28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10, 13,
  6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6, 5, 6,
  6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23,
  23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21,
  23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23,
  22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21,
  22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];
const endOfString = 256;
const codeLengthMax = 30;

/** Shortest first, and those of one length in the order of their symbols. */
const codes = assignCodes();

function assignCodes(): Uint32Array {
  const assigned = new Uint32Array(codeLengths.length);
  let next = 0;
  for (let length = 1; length <= codeLengthMax; length++) {
    next *= 2;
    for (let symbol = 0; symbol <= endOfString; symbol++)
      if (codeLengths[symbol] === length) assigned[symbol] = next++;
  }
  return assigned;
}

/** Layout of a transition, from the lowest bit: eight bits of the next state, eight of a symbol, and these flags. */
const symbolShift = 8;
const emitsSymbol = 1 << 16;
const isInvalid = 1 << 17;
const byteMask = 0xff;
const nibbles = 16;

/** A node for each inner node of the tree: one fewer than symbols, so that a state is one byte. */
const { transitions, mayEnd } = createTransitions();

function createTransitions(): { readonly transitions: Int32Array; readonly mayEnd: Uint8Array } {
  const zero = new Int32Array(endOfString).fill(-1);
  const one = new Int32Array(endOfString).fill(-1);
  /** Inner nodes are numbers from 0, leaves are `-2 - symbol`. */
  let nodes = 1;
  for (let symbol = 0; symbol <= endOfString; symbol++) {
    let node = 0;
    for (let bit = codeLengths[symbol]! - 1; bit >= 0; bit--) {
      const children = ((codes[symbol]! >>> bit) & 1) === 1 ? one : zero;
      if (bit === 0) children[node] = -2 - symbol;
      else {
        if (children[node] === -1) children[node] = nodes++;
        node = children[node]!;
      }
    }
  }
  const table = new Int32Array(endOfString * nibbles);
  for (let state = 0; state < endOfString; state++)
    for (let nibble = 0; nibble < nibbles; nibble++)
      table[state * nibbles + nibble] = findTransition(state, nibble, zero, one);
  return { transitions: table, mayEnd: findEnds(one) };
}

function findTransition(state: number, nibble: number, zero: Int32Array, one: Int32Array): number {
  let node = state;
  let found = 0;
  for (let bit = 3; bit >= 0; bit--) {
    node = (((nibble >> bit) & 1) === 1 ? one : zero)[node]!;
    if (node >= 0) continue;
    const symbol = -2 - node;
    if (symbol === endOfString) return isInvalid;
    found = emitsSymbol | (symbol << symbolShift);
    node = 0;
  }
  return found | node;
}

/** A string is padded with the first bits of the code for its end, by less than a byte: with ones only. */
function findEnds(one: Int32Array): Uint8Array {
  const ends = new Uint8Array(endOfString);
  let node = 0;
  for (let padding = 0; padding < 8; padding++) {
    ends[node] = 1;
    node = one[node]!;
  }
  return ends;
}

/** The shortest code has five bits: a string is at most this many times as long as its code, rounded up. */
let scratch = Buffer.allocUnsafeSlow(4 * 1024);

/** Returns a binary string, or undefined if the bytes are not a valid code. */
export function decodeHuffman(bytes: Buffer, from: number, to: number): string | undefined {
  const lengthMax = Math.ceil(((to - from) * 8) / 5);
  if (scratch.length < lengthMax) scratch = Buffer.allocUnsafeSlow(lengthMax * 2);
  let length = 0;
  let state = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    const high = transitions[state * nibbles + (byte >> 4)]!;
    if (high & emitsSymbol) scratch[length++] = (high >> symbolShift) & byteMask;
    const low = transitions[(high & byteMask) * nibbles + (byte & 15)]!;
    if (low & emitsSymbol) scratch[length++] = (low >> symbolShift) & byteMask;
    if ((high | low) & isInvalid) return undefined;
    state = low & byteMask;
  }
  return mayEnd[state] === 1 ? scratch.toString('latin1', 0, length) : undefined;
}

/** The length of the code of a binary string, in bytes. */
export function measureHuffman(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits += codeLengths[text.charCodeAt(at)]!;
  return Math.ceil(bits / 8);
}

/** Writes the code of a binary string. Returns the offset after it. */
export function writeHuffman(text: string, target: Buffer, offset: number): number {
  let at = offset;
  /** Fewer than eight bits wait for their byte. */
  let waiting = 0;
  let waitingBits = 0;
  for (let index = 0; index < text.length; index++) {
    const symbol = text.charCodeAt(index);
    let bits = codeLengths[symbol]!;
    const code = codes[symbol]!;
    while (bits > 0) {
      const taken = Math.min(bits, 8 - waitingBits);
      bits -= taken;
      waiting = (waiting << taken) | ((code >>> bits) & ((1 << taken) - 1));
      waitingBits += taken;
      if (waitingBits < 8) continue;
      target[at++] = waiting;
      waiting = 0;
      waitingBits = 0;
    }
  }
  if (waitingBits > 0) {
    const padding = 8 - waitingBits;
    target[at++] = (waiting << padding) | ((1 << padding) - 1);
  }
  return at;
}
