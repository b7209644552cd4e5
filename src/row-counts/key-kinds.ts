/** What is known about the values that rows are looked up by. */
import type { ExplainRow, Program } from './explain.ts';
import { opensCursor } from './opcodes.ts';
import { findWriters } from './registers.ts';

/** A `word` is a text without any digit, so never a number. */
export type KeyKind = 'integer' | 'null' | 'word' | 'unknown';

/** The kinds of the values bound to the parameters, by their number from 1; unknown if left out. */
export type VariableKinds = ReadonlyMap<number, KeyKind>;

export function kindOfValue(value: unknown): KeyKind {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return 'integer';
  return typeof value === 'string' && !/\d/.test(value) ? 'word' : 'unknown';
}

const integerOpcodes = new Set('Integer Int64 NewRowid Sequence IntCopy MustBeInt'.split(' '));

/** Tells the kind of the values a register is ever given, if all of them are of one kind. */
export class KeyKinds {
  readonly #variables: VariableKinds;
  readonly #nullableCursors: ReadonlySet<number>;
  readonly #writers: ReadonlyMap<number, readonly ExplainRow[]>;
  /** The instructions that open or fill each cursor. */
  readonly #fillings: ReadonlyMap<number, readonly ExplainRow[]>;
  readonly #answers = new Map<number, KeyKind>();

  constructor(program: Program, variables: VariableKinds) {
    this.#variables = variables;
    this.#nullableCursors = findNullableCursors(program);
    this.#writers = findWriters(program);
    const fillings = program.filter(({ opcode }) => opcode === 'IdxInsert' || opensCursor(opcode));
    this.#fillings = Map.groupBy(fillings, ({ p1 }) => p1);
  }

  of(register: number): KeyKind {
    const known = this.#answers.get(register);
    if (known !== undefined) return known;
    // Until it is proven, and so also where registers are copied in a circle.
    this.#answers.set(register, 'unknown');
    const kinds = new Set(this.#writers.get(register)?.map((op) => this.#given(op)));
    const [kind = 'unknown', ...others] = kinds;
    const answer = others.length === 0 ? kind : 'unknown';
    this.#answers.set(register, answer);
    return answer;
  }

  #given({ opcode, p1, p2, p3, p4 }: ExplainRow): KeyKind {
    if (integerOpcodes.has(opcode)) return 'integer';
    switch (opcode) {
      case 'Null':
        return 'null';
      case 'String8':
        return kindOfValue(p4);
      case 'Rowid':
      case 'IdxRowid':
        return this.#nullableCursors.has(p1) ? 'unknown' : 'integer';
      case 'Variable':
        return this.#variables.get(p1) ?? 'unknown';
      case 'SCopy':
        return this.of(p1);
      case 'Copy':
        return p3 === 0 ? this.of(p1) : 'unknown';
      case 'Column':
        return p2 === 0 && this.#holdsIntegers(p1) ? 'integer' : 'unknown';
      default:
        return 'unknown';
    }
  }

  /** Whether a transient index, the values of an IN list say, is only ever given integers. */
  #holdsIntegers(cursor: number): boolean {
    const fillings = this.#fillings.get(cursor) ?? [];
    return fillings.every(({ opcode, p3, p4 }) =>
      opcode === 'IdxInsert' ? p3 > 0 && p4 === '1' && this.of(p3) === 'integer' : opcode === 'OpenEphemeral',
    );
  }
}

/** Cursors that may stand on the row of NULLs an outer join makes up: their rowid is NULL then. */
export function findNullableCursors(program: Program): Set<number> {
  return new Set(program.filter(({ opcode }) => opcode === 'NullRow').map(({ p1 }) => p1));
}
