/**
 * What the main thread works on, in memory that another thread can read while the main thread is stuck. A name is
 * registered once and gets a number; to note it is one store, cheap enough for every rule of every request.
 *
 * There is room for the latest `namesMax` names; an older number may show a newer name. Notes are for people who look for
 * the cause of a stall, and nothing is decided by them.
 */
const namesMax = 16_384;
const nameBytes = 64;
const kinds = ['zone', 'rule', 'object'] as const;

/** The kinds of work that are noted. */
export type WorkKind = (typeof kinds)[number];

/** The layout of the buffer: for each kind the number of the noted name, 0 for none; then the names, in Latin-1. */
export interface WorkNotes {
  readonly buffer: SharedArrayBuffer;
  readonly kinds: readonly WorkKind[];
  readonly nameBytes: number;
  readonly namesStart: number;
}

const namesStart = kinds.length * 4;
const buffer = new SharedArrayBuffer(namesStart + namesMax * nameBytes);
const numbers = new Int32Array(buffer, 0, kinds.length);
const names = Buffer.from(buffer, namesStart);

/** For the thread that reads them; it can be cloned into it. */
export const workNotes: WorkNotes = { buffer, kinds, nameBytes, namesStart };

/** What the thread of the notes works on; may be called by any thread. */
export function readWorkNotes({
  buffer: shared,
  kinds: noted,
  nameBytes: bytes,
  namesStart: first,
}: WorkNotes): Partial<Record<WorkKind, string>> {
  const noting = new Int32Array(shared, 0, noted.length);
  const text = Buffer.from(shared, first);
  const found: Partial<Record<WorkKind, string>> = {};
  for (const [index, kind] of noted.entries()) {
    const start = noting[index]! * bytes;
    if (start > 0) found[kind] = text.toString('latin1', start, start + bytes).replace(/\0+$/, '');
  }
  return found;
}

let registered = 0;

/** Of a name, at most 64 characters are kept. Returns the number of the first; the others follow it. */
export function registerWork(...added: readonly string[]): number {
  if (registered + added.length >= namesMax) registered = 0;
  const first = registered + 1;
  for (const name of added.slice(0, namesMax - 1)) {
    registered++;
    const start = registered * nameBytes;
    names.fill(0, start, start + nameBytes);
    names.write(name, start, nameBytes, 'latin1');
  }
  return first;
}

/** 0 for none. */
export function noteZone(zone: number): void {
  numbers[0] = zone;
}

/** 0 for none. */
export function noteRule(rule: number): void {
  numbers[1] = rule;
}

/** 0 for none. */
export function noteObject(object: number): void {
  numbers[2] = object;
}
