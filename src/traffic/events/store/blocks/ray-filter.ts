/**
 * A Bloom filter over the request ids of a block: it answers "certainly not here" or "perhaps here". The request id is
 * that of the event up to its last dash. The hash uses two crc32 of it, the second one started from the first; the
 * second is made odd, and probe i is bit (first + i · second) mod bits.
 */
import { crc32 } from 'node:zlib';
import { filterBitsPerId, filterProbes } from '../limits.ts';

export function createFilter(eventIds: Iterable<string>): Buffer {
  const ids = new Set(Array.from(eventIds, toRequestId));
  const bytes = Buffer.alloc(Math.ceil((ids.size * filterBitsPerId) / 8));
  const bits = bytes.length * 8;
  for (const id of ids) {
    const { first, step } = hash(id);
    for (let index = 0; index < filterProbes; index++) {
      const bit = (first + index * step) % bits;
      bytes[bit >>> 3]! |= 1 << (bit & 7);
    }
  }
  return bytes;
}

export function mayContain(filter: Uint8Array, eventId: string): boolean {
  if (filter.length === 0) return false;
  const { first, step } = hash(toRequestId(eventId));
  const bits = filter.length * 8;
  for (let index = 0; index < filterProbes; index++) {
    const bit = (first + index * step) % bits;
    if ((filter[bit >>> 3]! & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function toRequestId(eventId: string): string {
  const dash = eventId.lastIndexOf('-');
  return dash < 0 ? eventId : eventId.slice(0, dash);
}

function hash(id: string): { readonly first: number; readonly step: number } {
  const first = crc32(id);
  return { first, step: (crc32(id, first) | 1) >>> 0 };
}
