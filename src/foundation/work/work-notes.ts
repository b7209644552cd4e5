/**
 * What the main thread is working on, in memory that another thread can read while the main thread is blocked. A name
 * is registered once and gets a number; recording it is a single store, cheap enough for every rule of every request
 * and for every statement of an object.
 *
 * Names are kept in slots that are reused, so an old number may refer to a newer name. A `WorkName` registers itself
 * again before that happens: for objects and statements, because decisions are based on them.
 */
const slotsMax = 16_384;
const slotBytes = 64;
/** A long name takes several slots: a statement of SQL, the class and id of an object. */
const slotsPerNameMax = 16;
const kinds = ['zone', 'rule', 'object', 'statement', 'loading'] as const;

/** The kinds of work that are recorded. */
export type WorkKind = (typeof kinds)[number];

/**
 * The layout of the buffer: for each kind the number of the recorded name, 0 for none; then how many statements were
 * begun; then the names, in UTF-8, each followed by a zero.
 */
export interface WorkNotes {
  readonly buffer: SharedArrayBuffer;
  readonly kinds: readonly WorkKind[];
  readonly slotBytes: number;
  readonly slotsMax: number;
  readonly nameBytesMax: number;
  readonly namesStart: number;
}

const statementsBegun = kinds.length;
const namesStart = (kinds.length + 1) * 4;
const nameBytesMax = slotsPerNameMax * slotBytes;
const buffer = new SharedArrayBuffer(namesStart + slotsMax * slotBytes);
const numbers = new Int32Array(buffer, 0, kinds.length + 1);
const names = Buffer.from(buffer, namesStart);

/** For the reading thread; it can be cloned to it. */
export const workNotes: WorkNotes = { buffer, kinds, slotBytes, slotsMax, nameBytesMax, namesStart };

/** What the thread that owns the notes is working on; may be called by any thread. */
export function readWorkNotes(notes: WorkNotes): Partial<Record<WorkKind, string>> {
  const noted = new Int32Array(notes.buffer, 0, notes.kinds.length);
  const text = Buffer.from(notes.buffer, notes.namesStart);
  const found: Partial<Record<WorkKind, string>> = {};
  for (const [index, kind] of notes.kinds.entries()) {
    const number = Atomics.load(noted, index);
    if (number === 0) continue;
    const start = (number % notes.slotsMax) * notes.slotBytes;
    const bytes = text.subarray(start, start + notes.nameBytesMax);
    found[kind] = bytes.toString('utf8', 0, bytes.indexOf(0));
  }
  return found;
}

/** Slots assigned since the start, including those at the end of a round into which a long name did not fit. */
let given = 1;

/** Keeps at most 63 bytes of a name. Returns the number of the first; the others follow it. */
export function registerWork(...added: readonly string[]): number {
  const kept = added.slice(0, slotsMax - 1);
  const first = takeSlots(kept.length);
  kept.forEach((name, index) => write(name, first + index, 1));
  return first;
}

/** A name that is recorded repeatedly, with a number that is always valid. At most 1,023 bytes of it are kept. */
export class WorkName {
  readonly text: string;
  #number = 0;

  constructor(text: string) {
    this.text = text;
  }

  get number(): number {
    // Slots are reused after a while.
    if (this.#number === 0 || given - this.#number >= slotsMax) this.#register();
    return this.#number;
  }

  #register(): void {
    const slots = Math.min(Math.ceil((Buffer.byteLength(this.text) + 1) / slotBytes), slotsPerNameMax);
    this.#number = takeSlots(slots);
    write(this.text, this.#number, slots);
  }
}

function takeSlots(count: number): number {
  // Numbers are 32 bits wide, and a name does not wrap around the end.
  if (given + slotsMax > 0x7fff_ffff) given = 1;
  if ((given % slotsMax) + count > slotsMax) given += slotsMax - (given % slotsMax);
  const first = given;
  given += count;
  return first;
}

function write(name: string, number: number, slots: number): void {
  const start = (number % slotsMax) * slotBytes;
  names.fill(0, start, start + slots * slotBytes);
  names.write(name, start, slots * slotBytes - 1, 'utf8');
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

/** User code that runs for the first time; 0 for none. */
export function noteLoading(module: number): void {
  numbers[4] = module;
}

/** A statement of SQL begins. Returns the previously recorded object, for `noteStatementEnd`. */
export function noteStatement(statement: number, object: number): number {
  const before = numbers[2]!;
  numbers[2] = object;
  numbers[statementsBegun]!++;
  numbers[3] = statement;
  return before;
}

/** The statement that began last has ended. */
export function noteStatementEnd(objectBefore: number): void {
  numbers[3] = 0;
  numbers[2] = objectBefore;
}
