/**
 * What a statement's bytecode (`EXPLAIN`) reveals, to run it in the cheapest way that is not observably different. See
 * `execution.ts` for how it is used.
 */
import type { ExplainRow } from '../row-counts/bytecode.ts';

export interface StatementProgram {
  /**
   * It only reads, and none of its instructions can fail: it does not matter when it runs as long as the database is
   * the same.
   */
  readonly deferrable: boolean;
  /** Parameters (from 0) that must be integers, or the program fails after all: `LIMIT ?`. */
  readonly integerParameters: readonly number[];
  /** It returns at most one row, and reads nothing after it. */
  readonly singleRow: boolean;
  /** It runs triggers or foreign key actions, which change rows that `changes()` does not count. */
  readonly callsPrograms: boolean;
  /** Counters besides `vmStep` that running it can increment. */
  readonly counters: readonly Counter[];
}

export type Counter = 'fullscanStep' | 'sort' | 'autoindex' | 'filterHit' | 'filterMiss';

const opcodes = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Instructions that read, compare and compute, and can fail only because of a broken disk or lack of memory. */
const infallible = opcodes(`
  Init Transaction Goto Halt Noop Explain Once BeginSubrtn Return Gosub ReadCookie CollSeq
  OpenRead ReopenIdx Close Rewind Last Next Prev SeekRowid SeekGE SeekGT SeekLE SeekLT SeekHit NotExists
  IdxGE IdxGT IdxLE IdxLT IdxRowid DeferredSeek FinishSeek Rowid Column NullRow IfNullRow Count
  Integer Int64 Real String String8 Null Blob Variable Copy SCopy Move IntCopy Affinity RealAffinity
  Eq Ne Lt Le Gt Ge IsNull NotNull If IfNot IsType IsTrue Not And Or
  Add Subtract Multiply Divide Remainder AddImm BitAnd BitOr BitNot ShiftLeft ShiftRight
  IfPos IfNotZero DecrJumpZero OffsetLimit MustBeInt ResultRow AggStep AggFinal Function PureFunc
`);

/** Functions that accept any argument and never build anything larger than it. */
const infallibleFunctions = opcodes(
  'count max min length typeof lower upper substr substring instr trim ltrim rtrim',
);

/** Instructions that can jump back to an earlier one, and those that jump to an address in a register. */
const backwardJumps = opcodes(`
  Goto Next Prev VNext SorterNext RowSetRead If IfNot IfPos IfNotZero DecrJumpZero IsNull NotNull
  Eq Ne Lt Le Gt Ge Jump
`);
const indirectJumps = opcodes('Gosub Return Yield InitCoroutine EndCoroutine Program');

/** The `p5` with which `Next` and `Prev` name the counter they increment. */
const counterByNextFlag: Readonly<Record<number, Counter>> = { 1: 'fullscanStep', 3: 'autoindex' };

export function analyzeProgram(rows: readonly ExplainRow[]): StatementProgram {
  const counters = new Set<Counter>();
  for (const { opcode, p5 } of rows) {
    if (opcode === 'Sort' || opcode === 'SorterSort') counters.add('sort');
    if (opcode === 'Filter') counters.add('filterHit').add('filterMiss');
    const counter = /^(?:Next|Prev|SorterNext)$/.test(opcode) ? counterByNextFlag[p5] : undefined;
    if (counter !== undefined) counters.add(counter);
  }
  const readsOnly = !rows.some(({ opcode, p2 }) => opcode === 'Transaction' && p2 !== 0);
  const integerParameters = findIntegerParameters(rows);
  return {
    deferrable: readsOnly && rows.every((row) => isInfallible(row, integerParameters)),
    integerParameters: [...integerParameters.values()],
    singleRow: readsOnly && givesSingleRow(rows),
    callsPrograms: rows.some(({ opcode }) => opcode === 'Program'),
    counters: [...counters],
  };
}

/** `MustBeInt` without a jump target fails on any other value. For each such row, the parameter it tests. */
function findIntegerParameters(rows: readonly ExplainRow[]): Map<ExplainRow, number> {
  const parameters = new Map<ExplainRow, number>();
  rows.forEach((row, at) => {
    const before = rows[at - 1];
    if (row.opcode === 'MustBeInt' && row.p2 === 0 && before?.opcode === 'Variable' && before.p2 === row.p1) {
      parameters.set(row, before.p1 - 1);
    }
  });
  return parameters;
}

function isInfallible(row: ExplainRow, integerParameters: ReadonlyMap<ExplainRow, number>): boolean {
  if (!infallible.has(row.opcode)) return false;
  switch (row.opcode) {
    case 'Halt':
      return row.p1 === 0;
    case 'MustBeInt':
      return row.p2 !== 0 || integerParameters.has(row);
    case 'AggStep':
    case 'AggFinal':
    case 'Function':
    case 'PureFunc':
      return infallibleFunctions.has(/^\w+/.exec(row.p4 ?? '')?.[0] ?? '');
    default:
      return true;
  }
}

function givesSingleRow(rows: readonly ExplainRow[]): boolean {
  const results = rows.filter(({ opcode }) => opcode === 'ResultRow');
  const address = results[0]?.addr ?? 0;
  // The program starts at its end, opens its tables there, and then jumps to 1, once.
  const start = rows.at(-1);
  return (
    results.length === 1 &&
    !rows.some(
      (row) =>
        indirectJumps.has(row.opcode) ||
        (row.addr > address && row.p2 <= address && backwardJumps.has(row.opcode) && row !== start),
    )
  );
}
