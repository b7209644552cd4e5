/**
 * Slots are the few things worth remembering while walking a program: the registers that decide a
 * jump somewhere (flags, return addresses), whether a `Once` block has run, whether a table that the
 * statement does not write is empty. All else would multiply the places without telling anything.
 */
import type { ExplainRow, Program } from './explain.ts';
import {
  comparisonOpcodes,
  coroutineOpcodes,
  opensCursor,
  opensTransient,
  testsRegister,
} from './opcodes.ts';
import { listRegisters, overwrittenRegisters, registerCopy } from './registers.ts';

export class Slots {
  readonly #indexes = new Map<string, number>();
  readonly #cursorRoots = new Map<number, string>();
  readonly #tested: readonly (readonly number[])[];
  readonly #overwritten: readonly (readonly number[])[];

  /** A coroutine with very many exits is followed only roughly, without `resumePoints`. */
  constructor(program: Program, writtenRoots: ReadonlySet<string> | undefined, resumePoints: boolean) {
    for (const op of program) {
      const decides = testsRegister(op.opcode) || (resumePoints && coroutineOpcodes.has(op.opcode));
      if (decides) this.#add(`register ${op.p1}`);
      if (op.opcode === 'NewRowid' && op.p3 > 0) this.#add(`register ${op.p3}`);
      if (op.opcode === 'Once') this.#add(`once ${op.addr}`);
      if (opensCursor(op.opcode)) this.#addCursor(op, writtenRoots);
    }
    for (const cursor of findReusedCursors(program)) this.#add(`transient ${cursor}`);
    this.#addCopySources(program);
    this.#tested = program.map((op) => this.#findTested(op));
    this.#overwritten = program.map((op) => this.#findOverwritten(op));
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

  /** The slots that decide where the instruction at an address goes, or what it leaves in another slot. */
  tested(address: number): readonly number[] {
    return this.#tested[address]!;
  }

  /** The slots the instruction at an address overwrites without looking at them. */
  overwritten(address: number): readonly number[] {
    return this.#overwritten[address]!;
  }

  #findTested(op: ExplainRow): number[] {
    const { opcode, p1, p2, p3, addr } = op;
    const copy = registerCopy(op);
    if (copy !== undefined) return this.#registers(listRegisters(copy.from, copy.count));
    if (testsRegister(opcode) || coroutineOpcodes.has(opcode)) return this.#registers([p1]);
    if (comparisonOpcodes.has(opcode)) return this.#registers([p1, p3]);
    switch (opcode) {
      case 'OffsetLimit':
        return this.#registers([p1, p2, p3]);
      case 'Once':
        return list(this.once(addr));
      case 'Rewind':
      case 'Last':
        return list(this.hasRows(p1));
      case 'Insert':
      case 'IdxInsert':
      case 'Delete':
        return list(this.isTransient(p1));
      default:
        return [];
    }
  }

  #findOverwritten(op: ExplainRow): number[] {
    const registers = this.#registers(overwrittenRegisters(op));
    return opensCursor(op.opcode) ? [...registers, ...list(this.isTransient(op.p1))] : registers;
  }

  #registers(registers: readonly number[]): number[] {
    return registers.flatMap((register) => list(this.register(register)));
  }

  #add(name: string): void {
    if (!this.#indexes.has(name)) this.#indexes.set(name, this.#indexes.size);
  }

  #addCursor(op: ExplainRow, writtenRoots: ReadonlySet<string> | undefined): void {
    const { opcode, p1, p2, p3, p5 } = op;
    const root = rootName(p2, p3);
    const fixed = opcode === 'OpenRead' && (p5 & rootInRegister) === 0 && writtenRoots?.has(root) === false;
    const known = this.#cursorRoots.get(p1);
    // A cursor number that is opened on two different things says nothing about either.
    this.#cursorRoots.set(p1, fixed && (known === undefined || known === root) ? root : '');
    if (this.#cursorRoots.get(p1) === root) this.#add(root);
  }

  /** What is copied into a slot is worth remembering as well. */
  #addCopySources(program: Program): void {
    for (let sizeBefore = -1; sizeBefore !== this.size;) {
      sizeBefore = this.size;
      for (const op of program) {
        const copy = registerCopy(op);
        for (let index = 0; index < (copy?.count ?? 0); index++) {
          if (this.register(copy!.to + index) !== undefined) this.#add(`register ${copy!.from + index}`);
        }
      }
    }
  }
}

function list(slot: number | undefined): number[] {
  return slot === undefined ? [] : [slot];
}

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

/** Numbers used for a cursor on a transient table and for one on a lasting table as well. */
function findReusedCursors(program: Program): number[] {
  const openings = program.filter(({ opcode }) => opensCursor(opcode));
  const lasting = new Set(openings.filter(({ opcode }) => !opensTransient(opcode)).map(({ p1 }) => p1));
  return openings.filter(({ opcode, p1 }) => opensTransient(opcode) && lasting.has(p1)).map(({ p1 }) => p1);
}
