/**
 * All the data of a key-value object as one image of a cluster: pairs back to back, each the length of its key (4 bytes,
 * little-endian) and of its value (4), then both.
 */
import type { TableChange } from '#tables';
import type { Owner } from '../ledger/records.ts';
import { claimRowsMax, imagePieceBytes } from '../limits.ts';

const headBytes = 8;

/** The pieces of the image, none much larger than `imagePieceBytes`, unless a single pair is. */
export async function* encodePairs(
  pairs: AsyncIterable<readonly [key: string, value: Uint8Array]>,
): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const [key, value] of pairs) {
    const head = Buffer.allocUnsafe(headBytes);
    head.writeUInt32LE(key.length);
    head.writeUInt32LE(value.length, 4);
    parts.push(head, Buffer.from(key, 'latin1'), Buffer.from(value));
    bytes += headBytes + key.length + value.length;
    if (bytes < imagePieceBytes) continue;
    yield Buffer.concat(parts, bytes);
    parts = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes);
}

/** The pairs of an image as changes to the tables, in batches. */
export async function* decodePairs(
  owner: Owner,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<TableChange[]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
    let changes: TableChange[] = [];
    let at = 0;
    for (let end = pairEnd(bytes, at); end <= bytes.length; end = pairEnd(bytes, at)) {
      const valueAt = at + headBytes + bytes.readUInt32LE(at);
      const key = bytes.toString('latin1', at + headBytes, valueAt);
      // A copy: a small value must not keep the whole piece in memory.
      changes.push({ owner, key, value: Uint8Array.from(bytes.subarray(valueAt, end)) });
      at = end;
      if (changes.length < claimRowsMax) continue;
      yield changes;
      changes = [];
    }
    if (changes.length > 0) yield changes;
    rest = bytes.subarray(at);
  }
  if (rest.length > 0) throw new RangeError('the image of a key-value object ends within a pair');
}

function pairEnd(bytes: Buffer, at: number): number {
  if (at + headBytes > bytes.length) return Number.POSITIVE_INFINITY;
  return at + headBytes + bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4);
}
