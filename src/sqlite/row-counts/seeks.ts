/** Seeks that behave unlike the rest: they skip an instruction, or may not look anything up. */
import type { ExplainRow, Program } from './explain.ts';
import { opensCursor } from './opcodes.ts';
import { findWriters } from './registers.ts';

const seekByEquality = 0x02;

/** Seeks for one exact key of an index: the cursor was opened for nothing else. */
export function findExactSeeks(program: Program): Set<ExplainRow> {
  const cursors = new Set<number>();
  for (const { opcode, p1, p5 } of program) {
    if (/^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode) && (p5 & seekByEquality) !== 0) cursors.add(p1);
  }
  return new Set(program.filter(({ opcode, p1 }) => /^Seek(GE|LE)$/.test(opcode) && cursors.has(p1)));
}

/** Seeks by rowid whose key may be something no rowid can be, such as NULL or a text. */
export function findStraySeeks(program: Program, integerVariables: ReadonlySet<number>): Set<ExplainRow> {
  const tables = new Set<number>();
  for (const { opcode, p1, p4 } of program) {
    if (/^Open(Read|Write|Ephemeral)$/.test(opcode) && p4?.startsWith('k(') !== true) tables.add(p1);
  }
  const keys = new KeyTypes(program, integerVariables);
  return new Set(
    program.filter(({ opcode, p1, p3 }) => {
      const byRowid = opcode === 'SeekRowid' || (/^Seek(LT|LE|GE|GT)$/.test(opcode) && tables.has(p1));
      return byRowid && !keys.isInteger(p3);
    }),
  );
}

/** The parameters for which it matters whether they are bound to whole numbers. */
export function findKeyVariables(programs: readonly Program[]): number[] {
  const variables = programs.flat().filter(({ opcode }) => opcode === 'Variable');
  const indexes = [...new Set(variables.map(({ p1 }) => p1))];
  const strays = (integers: ReadonlySet<number>): number =>
    programs.reduce((sum, program) => sum + findStraySeeks(program, integers).size, 0);
  return indexes.length > 0 && strays(new Set(indexes)) < strays(new Set()) ? indexes : [];
}

const integerOpcodes = new Set('Integer Int64 NewRowid Sequence IntCopy MustBeInt'.split(' '));

/** Tells of a register whether all it is ever given are integers. */
class KeyTypes {
  readonly #integerVariables: ReadonlySet<number>;
  readonly #nullableCursors: ReadonlySet<number>;
  readonly #writers: ReadonlyMap<number, readonly ExplainRow[]>;
  /** The instructions that open or fill each cursor. */
  readonly #fillings = new Map<number, ExplainRow[]>();
  readonly #answers = new Map<number, boolean>();

  constructor(program: Program, integerVariables: ReadonlySet<number>) {
    this.#integerVariables = integerVariables;
    this.#nullableCursors = findNullableCursors(program);
    this.#writers = findWriters(program);
    for (const op of program) {
      if (op.opcode !== 'IdxInsert' && !opensCursor(op.opcode)) continue;
      const list = this.#fillings.get(op.p1);
      if (list === undefined) this.#fillings.set(op.p1, [op]);
      else list.push(op);
    }
  }

  isInteger(register: number): boolean {
    const known = this.#answers.get(register);
    if (known !== undefined) return known;
    // Until it is proven, and so also where registers are copied in a circle.
    this.#answers.set(register, false);
    const answer = this.#writers.get(register)?.every((op) => this.#givesInteger(op)) ?? false;
    this.#answers.set(register, answer);
    return answer;
  }

  #givesInteger({ opcode, p1, p2, p3 }: ExplainRow): boolean {
    if (integerOpcodes.has(opcode)) return true;
    if (opcode === 'Rowid' || opcode === 'IdxRowid') return !this.#nullableCursors.has(p1);
    if (opcode === 'Variable') return this.#integerVariables.has(p1);
    if (opcode === 'SCopy' || (opcode === 'Copy' && p3 === 0)) return this.isInteger(p1);
    return opcode === 'Column' && p2 === 0 && this.#holdsIntegers(p1);
  }

  /** Whether a transient index, the values of an IN list say, is only ever given integers. */
  #holdsIntegers(cursor: number): boolean {
    const fillings = this.#fillings.get(cursor) ?? [];
    return fillings.every(({ opcode, p3, p4 }) =>
      opcode === 'IdxInsert' ? p3 > 0 && p4 === '1' && this.isInteger(p3) : opcode === 'OpenEphemeral',
    );
  }
}

/** Cursors that may stand on the row of NULLs an outer join makes up: their rowid is NULL then. */
export function findNullableCursors(program: Program): Set<number> {
  return new Set(program.filter(({ opcode }) => opcode === 'NullRow').map(({ p1 }) => p1));
}
