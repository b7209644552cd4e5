/**
 * The payload of a journal record: one commit of one object, everything in it atomic.
 *
 * ```
 *   offset  bytes  field (little-endian)
 *        0      2  class       number of the class, given by its `class` section when first seen
 *        2     32  id          of the object
 *       34      8  previous    position of this object's record before this one, as a double; 0: the first; -1: not chained
 *       42      …  sections, each: tag (1), length (4), bytes
 * ```
 *
 * | tag | section  | bytes |
 * |---|---|---|
 * | 1 | class    | `kv:` or `sql:` and the class's unique key, a zero byte, its name, UTF-8: from here on, the class number denotes it |
 * | 2 | name     | the object's name, UTF-8 |
 * | 3 | alarm    | the time as a double; NaN: no alarm |
 * | 4 | entries  | key-value changes in order: op (1: put, 2: delete, 3: delete all), then for 1 and 2 the key's length (4) and bytes, then for 1 the value's length (4) and bytes |
 * | 5 | pages    | page count after the commit (4), then the page images (see page-images.ts) |
 * | 6 | request  | a request to restore the database at the next start: target (8), the record whose state is wanted, or 0 for the empty database |
 * | 7 | base     | the database starts over: image (8), the base image it starts from, or 0 for an empty database; request (8), the record that asked for it, or 0 |
 * | 8 | snapshot | position (8) of the record whose state a snapshot file holds; 1: it exists, 0: it was dropped; the log weight it saves from now on (8, double) |
 * | 9 | origins  | positions (8 each) that the record had in logs it was moved from, oldest first: older bookmarks refer to it by these |
 */
import { type Position, noPosition } from '#journal';

const tags = {
  class: 1,
  name: 2,
  alarm: 3,
  entries: 4,
  pages: 5,
  request: 6,
  base: 7,
  snapshot: 8,
  origins: 9,
} as const;
const headerBytes = 42;
const unchained = -1;
export const ownerBytes = 34;

/** An object's key in the tables and in records: class number and id, as a binary string of 34 bytes. */
export type Owner = string & { readonly brand: 'Owner' };

export type LedgerEntry =
  | { readonly op: 'put'; readonly key: string; readonly value: Uint8Array }
  | { readonly op: 'delete'; readonly key: string }
  | { readonly op: 'deleteAll' };

/** The content of one commit. Keys are binary strings (one char per UTF-8 byte). */
export interface Commit {
  readonly owner: Owner;
  /** Records of an object with SQL storage form a chain, newest to oldest: its history. */
  readonly chained: boolean;
  readonly previous: Position;
  readonly declares?: { readonly key: string; readonly name: string };
  readonly name?: string;
  readonly alarm?: number | null;
  readonly entries?: readonly LedgerEntry[];
  readonly pages?: Uint8Array;
  readonly request?: { readonly target: Position };
  /** `image` names a base image file by a position that no record of the object had when the image was written. */
  readonly base?: { readonly image: Position; readonly request: Position };
  readonly snapshot?: { readonly position: Position; readonly exists: boolean; readonly weight: number };
  /** Where the record was before it was moved to this log. */
  readonly origins?: readonly Position[];
}

export function encodeOwner(classNumber: number, idHex: string): Owner {
  const bytes = Buffer.alloc(ownerBytes);
  bytes.writeUInt16LE(classNumber);
  bytes.write(idHex, 2, 'hex');
  return bytes.toString('latin1') as Owner;
}

export function decodeOwner(owner: Owner): { classNumber: number; idHex: string } {
  const bytes = Buffer.from(owner, 'latin1');
  return { classNumber: bytes.readUInt16LE(), idHex: bytes.toString('hex', 2) };
}

export function encodeCommit(commit: Commit): Uint8Array[] {
  const header = Buffer.alloc(headerBytes);
  header.write(commit.owner, 'latin1');
  header.writeDoubleLE(commit.chained ? commit.previous : unchained, ownerBytes);
  const parts: Uint8Array[] = [header];
  const section = (tag: number, ...bytes: Uint8Array[]): void => {
    const head = Buffer.allocUnsafe(5);
    head[0] = tag;
    head.writeUInt32LE(
      bytes.reduce((sum, part) => sum + part.length, 0),
      1,
    );
    parts.push(head, ...bytes);
  };
  if (commit.declares !== undefined) {
    section(tags.class, Buffer.from(`${commit.declares.key}\0${commit.declares.name}`));
  }
  if (commit.name !== undefined) section(tags.name, Buffer.from(commit.name));
  if (commit.alarm !== undefined) section(tags.alarm, doubleBytes(commit.alarm ?? Number.NaN));
  if (commit.entries !== undefined) section(tags.entries, encodeEntries(commit.entries));
  if (commit.pages !== undefined) section(tags.pages, commit.pages);
  if (commit.request !== undefined) section(tags.request, positionBytes(commit.request.target));
  if (commit.base !== undefined) {
    section(tags.base, positionBytes(commit.base.image), positionBytes(commit.base.request));
  }
  if (commit.snapshot !== undefined) {
    const { position, exists, weight } = commit.snapshot;
    section(tags.snapshot, positionBytes(position), Buffer.of(exists ? 1 : 0), doubleBytes(weight));
  }
  if (commit.origins !== undefined) section(tags.origins, ...commit.origins.map(positionBytes));
  return parts;
}

/** Decodes a payload the journal has already checked; a `RangeError` reports what does not fit as damage. */
export function decodeCommit(payload: Uint8Array): Commit {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  const commit: { -readonly [K in keyof Commit]: Commit[K] } = {
    owner: bytes.toString('latin1', 0, ownerBytes) as Owner,
    chained: bytes.readDoubleLE(ownerBytes) !== unchained,
    previous: noPosition,
  };
  if (commit.chained) commit.previous = readPosition(bytes, ownerBytes);
  for (let at = headerBytes; at < bytes.length;) {
    const tag = bytes[at];
    const start = at + 5;
    const end = start + bytes.readUInt32LE(at + 1);
    if (end > bytes.length) throw new RangeError(`section ${tag} runs past the end of its record`);
    const body = bytes.subarray(start, end);
    if (tag === tags.class) commit.declares = declarationFrom(body);
    else if (tag === tags.name) commit.name = body.toString();
    else if (tag === tags.alarm) commit.alarm = alarmFrom(body);
    else if (tag === tags.entries) commit.entries = decodeEntries(body);
    else if (tag === tags.pages) commit.pages = body;
    else if (tag === tags.request) commit.request = { target: readPosition(body, 0) };
    else if (tag === tags.base)
      commit.base = { image: readPosition(body, 0), request: readPosition(body, 8) };
    else if (tag === tags.snapshot) {
      commit.snapshot = {
        position: readPosition(body, 0),
        exists: body[8] === 1,
        weight: body.readDoubleLE(9),
      };
    } else if (tag === tags.origins) commit.origins = originsFrom(body);
    else throw new RangeError(`section ${tag} is unknown: the record was written by a later version`);
    at = end;
  }
  return commit;
}

function encodeEntries(entries: readonly LedgerEntry[]): Buffer {
  let size = 0;
  for (const entry of entries) {
    size += 1;
    if (entry.op !== 'deleteAll') size += 4 + entry.key.length;
    if (entry.op === 'put') size += 4 + entry.value.length;
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const entry of entries) {
    bytes[at++] = entry.op === 'put' ? 1 : entry.op === 'delete' ? 2 : 3;
    if (entry.op === 'deleteAll') continue;
    at = bytes.writeUInt32LE(entry.key.length, at);
    at += bytes.write(entry.key, at, 'latin1');
    if (entry.op !== 'put') continue;
    at = bytes.writeUInt32LE(entry.value.length, at);
    bytes.set(entry.value, at);
    at += entry.value.length;
  }
  return bytes;
}

function decodeEntries(bytes: Buffer): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const op = bytes[at++];
    if (op === 3) {
      entries.push({ op: 'deleteAll' });
      continue;
    }
    const keyEnd = at + 4 + bytes.readUInt32LE(at);
    const key = bytes.toString('latin1', at + 4, keyEnd);
    at = keyEnd;
    if (op === 2) {
      entries.push({ op: 'delete', key });
      continue;
    }
    const valueEnd = at + 4 + bytes.readUInt32LE(at);
    if (op !== 1 || valueEnd > bytes.length)
      throw new RangeError('a key-value change does not fit its section');
    entries.push({ op: 'put', key, value: bytes.subarray(at + 4, valueEnd) });
    at = valueEnd;
  }
  return entries;
}

function declarationFrom(body: Buffer): { key: string; name: string } {
  const [key, name] = body.toString().split('\0');
  if (key === undefined || name === undefined) throw new RangeError('a class is declared without a name');
  return { key, name };
}

function doubleBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

function originsFrom(body: Buffer): Position[] {
  return Array.from({ length: body.length / 8 }, (_, i) => readPosition(body, 8 * i));
}

function alarmFrom(body: Buffer): number | null {
  const time = body.readDoubleLE(0);
  return Number.isNaN(time) ? null : time;
}

function positionBytes(position: Position): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  writePosition(bytes, position, 0);
  return bytes;
}

function writePosition(bytes: Buffer, position: Position, at: number): void {
  bytes.writeDoubleLE(position, at);
}

function readPosition(bytes: Buffer, at: number): Position {
  const position = bytes.readDoubleLE(at);
  if (!Number.isSafeInteger(position) || position < noPosition) throw new RangeError('not a position');
  return position as Position;
}
