/** Networks: an address and the number of leading bits that its addresses share. */
import { Ip, parseIp } from './ip.ts';

export interface Network {
  readonly first: Ip;
  readonly last: Ip;
  readonly prefixLength: number;
}

/** Parses `10.0.0.0/8`, `2001:db8::/32` or a single address, which is a network of one. Host bits may be set. */
export function parseNetwork(text: string): Network | undefined {
  const [, address, prefix] = /^([^/]{2,45})(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const ip = address === undefined ? undefined : parseIp(address);
  if (ip === undefined) return undefined;
  const bits = ip.family === 4 ? 32 : 128;
  const prefixLength = prefix === undefined ? bits : Number(prefix);
  if (prefixLength > bits) return undefined;
  return { first: maskAddress(ip, prefixLength), last: findLastAddress(ip, prefixLength), prefixLength };
}

/** The address with all bits after the prefix cleared. */
export function maskAddress(ip: Ip, prefixLength: number): Ip {
  return mapWords(ip, prefixLength, (word, mask) => (word & mask) >>> 0);
}

/** The address with all bits after the prefix set. */
export function findLastAddress(ip: Ip, prefixLength: number): Ip {
  return mapWords(ip, prefixLength, (word, mask) => (word | ~mask) >>> 0);
}

/** Calls `change` with each word of the address and the mask of its bits that belong to the prefix. */
function mapWords(ip: Ip, prefixLength: number, change: (word: number, mask: number) => number): Ip {
  const at = (index: number, word: number): number => {
    const bits = Math.min(32, Math.max(0, prefixLength - 32 * index));
    return change(word, bits === 0 ? 0 : (-1 << (32 - bits)) >>> 0);
  };
  if (ip.family === 4) return new Ip(4, at(0, ip.w0));
  return new Ip(6, at(0, ip.w0), at(1, ip.w1), at(2, ip.w2), at(3, ip.w3));
}
