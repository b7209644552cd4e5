/**
 * Constraints that the map does not express, on sorters, transient tables and row sets: only what was put in is taken
 * out, and what is put in is taken out again. Each store adds its own tallies to the ways, and lists in terms of them
 * the cases of which one must hold.
 */
import type { ExplainRow, Bytecode } from './bytecode.ts';
import { negate, shift, type Sum } from './linear-program.ts';
import type { Way } from './walk.ts';

export interface Store {
  readonly uses: ReadonlySet<ExplainRow>;
  /** No two entries are equal, so each is taken out separately. */
  readonly distinct: boolean;
}

/** Tallies of a store: entries put in and not taken out again, scans begun and not ended, scans, times refilled. */
const [left, open, scans, fills] = [0, 1, 2, 3];
export const talliesEach = 4;

const usingOpcode =
  /^(OpenEphemeral|SorterOpen|SorterInsert|IdxInsert|Insert|Delete|Rewind|Sort|SorterSort|Next|SorterNext)$/;
/** Instructions that move a cursor otherwise, or remove an entry: such a store is not simple. */
const disturbingOpcode =
  /^(Count|DeferredSeek|Found|Idx(Delete|GT|LT|Rowid)|If(Empty|NoHope|NotOpen|NullRow|SizeBetween|Smaller)|NoConflict|NotExists|NotFound|Open(Autoindex|Dup|Pseudo|Read|Write)|Prev|ReopenIdx|ResetSorter|Seek\w+|SequenceTest)$/;

export function findStores(program: Bytecode): Store[] {
  const list = (pattern: RegExp): ExplainRow[] => program.filter(({ opcode }) => pattern.test(opcode));
  // A second cursor on the same table, or rows copied without being read.
  const shared = new Set(list(/^(OpenDup|RowCell)$/).map(({ p2 }) => p2));
  for (const { p1 } of list(disturbingOpcode)) shared.add(p1);
  const cursors = Map.groupBy(list(usingOpcode), ({ p1 }) => p1);
  for (const cursor of shared) cursors.delete(cursor);
  const stores = [...cursors.values()].flatMap(readCursor);
  // A row found through several indexes is put in several times; that requires a subroutine.
  const distinct = list(/^Gosub$/).length === 0;
  for (const uses of Map.groupBy(list(/^RowSet/), ({ p1 }) => p1).values()) {
    if (uses.every(({ opcode }) => opcode !== 'RowSetTest')) stores.push({ uses: new Set(uses), distinct });
  }
  const isScan = ({ opcode }: ExplainRow): boolean => /^(Rewind|Sort|SorterSort|RowSetRead)$/.test(opcode);
  return stores.filter(({ uses }) => [...uses].filter(isScan).length === 1);
}

function readCursor(uses: readonly ExplainRow[]): Store[] {
  const count = (pattern: RegExp): number => uses.filter(({ opcode }) => pattern.test(opcode)).length;
  const distinct = count(/^(Sort|SorterSort)$/) > 0;
  // A store that is emptied in between is not simple; nor is a permanent table.
  return count(/Open/) === 1 && (distinct || count(/^Delete$/) === 0)
    ? [{ uses: new Set(uses), distinct }]
    : [];
}

/** Adds what a way out of an instruction changes in the store. */
export function addStoreTallies(
  { uses }: Store,
  op: ExplainRow,
  via: Way['via'],
  weights: Float64Array,
): void {
  const add = (tally: number, amount: number): void => void (weights[tally]! += amount);
  const falls = via === 'fall';
  if (!uses.has(op)) return;
  if (/Open/.test(op.opcode)) add(fills, 1);
  else if (/Insert|RowSetAdd/.test(op.opcode)) add(left, 1);
  // A sorter limited to the first few rows discards its worst one.
  else if (op.opcode === 'Delete') add(left, -1);
  else if (op.opcode === 'RowSetRead') add(falls ? left : scans, falls ? -1 : 1);
  else if (/Next/.test(op.opcode)) add(falls ? open : left, -1);
  else {
    add(scans, 1);
    add(open, falls ? 1 : 0);
    add(left, falls ? -1 : 0);
  }
}

/** The cases of which one holds in every run, given the sums of the tallies: none of the listed sums is negative. */
export function listStoreCases({ distinct }: Store, finished: boolean, sums: readonly Sum[]): Sum[][] {
  const notOverdrawn = sums[left]!;
  const again = [[shift(sums[scans]!, -2)], [shift(sums[fills]!, -2)]];
  if (!finished || !distinct) return [[notOverdrawn], ...again];
  // Emptied, left half-way, or never scanned.
  const ends = [negate(sums[left]!), shift(sums[open]!, -1), negate(sums[scans]!)];
  return [...ends.map((end) => [notOverdrawn, end]), ...again];
}
