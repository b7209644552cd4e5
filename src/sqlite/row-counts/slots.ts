/**
 * Slots are the few things worth remembering while walking a program: the registers that decide a
 * jump somewhere (flags, return addresses), whether a `Once` block has run, whether a table that the
 * statement does not write is empty. All else would multiply the places without telling anything.
 */
import type { ExplainRow, Program } from './explain.ts';
import { comparisonOpcodes, testingOpcodes, writtenRegisters } from './opcodes.ts';

/** Instructions that go by the address their first register holds. */
const coroutineOpcodes = new Set(['InitCoroutine', 'Yield', 'EndCoroutine']);

/** Registers `from`, `from + 1`, … are copied to `to`, `to + 1`, …. */
export interface RegisterCopy {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export function registerCopy({ opcode, p1, p2, p3 }: ExplainRow): RegisterCopy | undefined {
  if (opcode === 'SCopy' || opcode === 'IntCopy') return { from: p1, to: p2, count: 1 };
  if (opcode === 'Copy') return { from: p1, to: p2, count: p3 + 1 };
  if (opcode === 'Move') return { from: p1, to: p2, count: p3 };
  return undefined;
}

export class Slots {
  readonly #indexes = new Map<string, number>();
  readonly #cursorRoots = new Map<number, string>();

  /** A coroutine with very many exits is followed only roughly, without `resumePoints`. */
  constructor(program: Program, writtenRoots: ReadonlySet<string> | undefined, resumePoints: boolean) {
    for (const op of program) {
      const decides = testsRegister(op) || (resumePoints && coroutineOpcodes.has(op.opcode));
      if (decides) this.#add(`register ${op.p1}`);
      if (op.opcode === 'NewRowid' && op.p3 > 0) this.#add(`register ${op.p3}`);
      if (op.opcode === 'Once') this.#add(`once ${op.addr}`);
      this.#addCursor(op, writtenRoots);
    }
    for (const cursor of findReusedCursors(program)) this.#add(`transient ${cursor}`);
    for (let sizeBefore = -1; sizeBefore !== this.size;) {
      sizeBefore = this.size;
      for (const op of program) this.#addCopySources(op);
    }
  }

  get size(): number {
    return this.#indexes.size;
  }

  register(register: number): number | undefined {
    return this.#indexes.get(`register ${register}`);
  }

  once(address: number): number | undefined {
    return this.#indexes.get(`once ${address}`);
  }

  /** The slot for "the table under this cursor has rows", if the statement cannot change that. */
  hasRows(cursor: number): number | undefined {
    const root = this.#cursorRoots.get(cursor);
    return root === undefined || root === '' ? undefined : this.#indexes.get(root);
  }

  /** The slot for "this cursor is on a transient table", if its number is used for both kinds. */
  isTransient(cursor: number): number | undefined {
    return this.#indexes.get(`transient ${cursor}`);
  }

  /** The slots that decide where an instruction goes, or what it leaves in another slot. */
  tested(op: ExplainRow): number[] {
    const { opcode, p1, p2, p3, addr } = op;
    if (opcode === 'Once') return [this.once(addr)].filter((slot) => slot !== undefined);
    if (opcode === 'Rewind' || opcode === 'Last')
      return [this.hasRows(p1)].filter((slot) => slot !== undefined);
    if (testsRegister(op) || coroutineOpcodes.has(opcode)) return this.#registers([p1]);
    if (comparisonOpcodes.has(opcode)) return this.#registers([p1, p3]);
    if (/^(Insert|IdxInsert|Delete)$/.test(opcode))
      return [this.isTransient(p1)].filter((slot) => slot !== undefined);
    return opcode === 'OffsetLimit' ? this.#registers([p1, p2, p3]) : this.#copied(op);
  }

  /** The slots an instruction copies elsewhere. */
  #copied(op: ExplainRow): number[] {
    const copy = registerCopy(op);
    return copy === undefined ? [] : this.#registers(span(copy.from, copy.count));
  }

  /** The slots an instruction overwrites without looking at them. */
  overwritten(op: ExplainRow): number[] {
    const transient = isOpening(op) ? this.isTransient(op.p1) : undefined;
    const registers = this.#registers(overwrittenRegisters(op));
    return transient === undefined ? registers : [...registers, transient];
  }

  #registers(registers: readonly number[]): number[] {
    return registers.map((register) => this.register(register)).filter((slot) => slot !== undefined);
  }

  #add(name: string): void {
    if (!this.#indexes.has(name)) this.#indexes.set(name, this.#indexes.size);
  }

  #addCursor(op: ExplainRow, writtenRoots: ReadonlySet<string> | undefined): void {
    const { opcode, p1, p2, p3, p5 } = op;
    if (!isOpening(op)) return;
    const root = rootName(p2, p3);
    const fixed = opcode === 'OpenRead' && (p5 & rootInRegister) === 0 && writtenRoots?.has(root) === false;
    const known = this.#cursorRoots.get(p1);
    // A cursor number that is opened on two different things says nothing about either.
    this.#cursorRoots.set(p1, fixed && (known === undefined || known === root) ? root : '');
    if (this.#cursorRoots.get(p1) === root) this.#add(root);
  }

  #addCopySources(op: ExplainRow): void {
    const copy = registerCopy(op);
    if (copy === undefined) return;
    span(copy.from, copy.count).forEach((from, index) => {
      if (this.register(copy.to + index) !== undefined) this.#add(`register ${from}`);
    });
  }
}

function testsRegister({ opcode }: ExplainRow): boolean {
  return opcode === 'Return' || (opcode !== 'Once' && testingOpcodes.has(opcode));
}

const copiedRegistersMax = 4_096;
const rootInRegister = 0x10;

function rootName(root: number, database: number): string {
  return `rows ${database}:${root}`;
}

/** The tables and indexes the programs may change, or undefined where that cannot be told. */
export function findWrittenRoots(programs: readonly Program[]): Set<string> | undefined {
  const roots = new Set<string>();
  for (const { opcode, p2, p3, p1 } of programs.flat()) {
    // A virtual table writes tables of its own behind the back of the program.
    if (opcode === 'VUpdate') return undefined;
    if (opcode === 'OpenWrite') roots.add(rootName(p2, p3));
    if (opcode === 'Clear' || opcode === 'Destroy') roots.add(rootName(p1, opcode === 'Clear' ? p2 : p3));
  }
  return roots;
}

/** The registers an instruction gives a value that does not depend on what they held. */
export function overwrittenRegisters(op: ExplainRow): number[] {
  const { opcode, p1, p2, p3 } = op;
  const copy = registerCopy(op);
  if (copy !== undefined) {
    const targets = span(copy.to, copy.count);
    return opcode === 'Move' ? [...targets, ...span(copy.from, copy.count)] : targets;
  }
  switch (opcode) {
    case 'Null':
      return span(p2, Math.max(1, p3 - p2 + 1));
    case 'Integer':
    case 'BeginSubrtn':
      return [p2];
    case 'Gosub':
    case 'InitCoroutine':
      return [p1];
    // Grows it or leaves it.
    case 'MemMax':
      return [];
    default:
      return testsRegister(op) || coroutineOpcodes.has(opcode) ? [] : writtenRegisters(op);
  }
}

function span(first: number, count: number): number[] {
  return Array.from(
    { length: Math.min(Math.max(count, 0), copiedRegistersMax) },
    (_, index) => first + index,
  );
}

function isOpening({ opcode }: ExplainRow): boolean {
  return /^(Open|ReopenIdx|SorterOpen)/.test(opcode);
}

/** Whether an instruction opens its cursor on a table that lives only as long as the statement. */
export function opensTransient({ opcode }: ExplainRow): boolean {
  return /^(OpenEphemeral|OpenAutoindex|OpenDup|OpenPseudo|SorterOpen)$/.test(opcode);
}

function findReusedCursors(program: Program): number[] {
  const openings = program.filter(isOpening);
  const lasting = new Set(openings.filter((op) => !opensTransient(op)).map(({ p1 }) => p1));
  return openings.filter((op) => opensTransient(op) && lasting.has(op.p1)).map(({ p1 }) => p1);
}
