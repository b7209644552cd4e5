/**
 * A Bloom filter over the content of a run, so that a lookup of an absent key usually reads no block. Two sorts of
 * entries go in: every row key (a point lookup asks for its key, then for the owner's drop) and every owner (a scan
 * asks whether the run has anything of the owner at all).
 *
 * The hash of a byte string is FNV-1a (32 bits) followed by the finaliser of MurmurHash3; it extends from an owner to
 * its row keys without reading the owner's bytes again. Probe `i` of hash `h` sets bit `(h + i·d) mod 2³² mod bits`,
 * where `d` is the finaliser of `h xor 9e3779b9`, made odd.
 */
import { filterBitsPerEntry, filterBytesMax, filterProbes } from '../limits.ts';

const fnvBasis = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** The unfinished hash of `bytes` from `from` on, or of the input of `state` followed by them. */
export function hashState(bytes: string, state: number = fnvBasis, from = 0): number {
  let hash = state;
  for (let i = from; i < bytes.length; i++) hash = Math.imul(hash ^ bytes.charCodeAt(i), fnvPrime);
  return hash;
}

export function finishHash(state: number): number {
  let hash = state;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const computeStride = (hash: number): number => (finishHash(hash ^ 0x9e3779b9) | 1) >>> 0;

/** An empty filter for at most `entries` entries. */
export function createFilter(entries: number): Uint8Array {
  const bytes = Math.ceil((entries * filterBitsPerEntry) / 8);
  return new Uint8Array(Math.min(Math.max(bytes, 8), filterBytesMax));
}

export function addToFilter(filter: Uint8Array, hash: number): void {
  const bits = (filter.length * 8) >>> 0;
  const step = computeStride(hash);
  for (let i = 0, probe = hash; i < filterProbes; i++, probe = (probe + step) >>> 0) {
    const bit = probe % bits;
    filter[bit >>> 3]! |= 1 << (bit & 7);
  }
}

/** False only if the entry was never added. */
export function mayFilterHave(filter: Uint8Array, hash: number): boolean {
  const bits = (filter.length * 8) >>> 0;
  const step = computeStride(hash);
  for (let i = 0, probe = hash; i < filterProbes; i++, probe = (probe + step) >>> 0) {
    const bit = probe % bits;
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
