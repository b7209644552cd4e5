/** Seeks that behave unlike the rest: they skip an instruction, or may not look anything up. */
import type { ExplainRow, Program } from './explain.ts';
import { type KeyKind, KeyKinds, type VariableKinds } from './key-kinds.ts';

const seekByEquality = 0x02;

/** Seeks for one exact key of an index: the cursor was opened for nothing else. */
export function findExactSeeks(program: Program): Set<ExplainRow> {
  const cursors = new Set<number>();
  for (const { opcode, p1, p5 } of program) {
    if (/^(OpenRead|OpenWrite|ReopenIdx)$/.test(opcode) && (p5 & seekByEquality) !== 0) cursors.add(p1);
  }
  return new Set(program.filter(({ opcode, p1 }) => /^Seek(GE|LE)$/.test(opcode) && cursors.has(p1)));
}

/**
 * Seeks by rowid whose key is something no rowid can be, such as NULL or a text: they go astray, and
 * nothing is looked up. `always`, or `perhaps` if the key is not known well enough.
 */
export type StraySeeks = ReadonlyMap<ExplainRow, 'always' | 'perhaps'>;

export function findStraySeeks(program: Program, variables: VariableKinds): StraySeeks {
  const tables = new Set<number>();
  for (const { opcode, p1, p4 } of program) {
    if (/^Open(Read|Write|Ephemeral)$/.test(opcode) && p4?.startsWith('k(') !== true) tables.add(p1);
  }
  const kinds = new KeyKinds(program, variables);
  const strays = new Map<ExplainRow, 'always' | 'perhaps'>();
  for (const op of program) {
    const byRange = /^Seek(LT|LE|GE|GT)$/.test(op.opcode) && tables.has(op.p1);
    if (!byRange && op.opcode !== 'SeekRowid') continue;
    const kind = kinds.of(op.p3);
    // A text is beyond all numbers, so a range below it has rows.
    const never = kind === 'null' || (kind === 'word' && !byRange);
    if (kind !== 'integer') strays.set(op, never ? 'always' : 'perhaps');
  }
  return strays;
}

/** The parameters for which it matters what kind of value they are bound to. */
export function findKeyVariables(programs: readonly Program[]): number[] {
  const variables = programs.flat().filter(({ opcode }) => opcode === 'Variable');
  const indexes = [...new Set(variables.map(({ p1 }) => p1))];
  if (indexes.length === 0) return [];
  const integers = new Map(indexes.map((index): [number, KeyKind] => [index, 'integer']));
  const strays = (kinds: VariableKinds): number =>
    programs.reduce((sum, program) => sum + findStraySeeks(program, kinds).size, 0);
  return strays(integers) < strays(new Map()) ? indexes : [];
}
