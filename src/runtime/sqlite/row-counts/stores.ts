/**
 * What the map cannot know about sorters, transient tables and row sets: nothing comes out that was not
 * put in, and what is put in comes out again. Each store adds tallies of its own to the ways, and says in
 * terms of them which of several cases must hold.
 */
import type { ExplainRow, Program } from './bytecode.ts';
import { negate, shift, type Sum } from './linear-program.ts';
import type { Way } from './walk.ts';

export interface Store {
  readonly uses: ReadonlySet<ExplainRow>;
  /** No two things put in are the same, so each comes out for itself. */
  readonly distinct: boolean;
}

/** Tallies of a store: put in and not taken out again, scans begun and not ended, scans, times made again. */
const [left, open, scans, fills] = [0, 1, 2, 3];
export const talliesEach = 4;

const usingOpcode =
  /^(OpenEphemeral|SorterOpen|SorterInsert|IdxInsert|Insert|Delete|Rewind|Sort|SorterSort|Next|SorterNext)$/;
/** What moves a cursor otherwise, or takes something out: then it is no simple store. */
const disturbingOpcode =
  /^(Count|DeferredSeek|Found|Idx(Delete|GT|LT|Rowid)|If(Empty|NoHope|NotOpen|NullRow|SizeBetween|Smaller)|NoConflict|NotExists|NotFound|Open(Autoindex|Dup|Pseudo|Read|Write)|Prev|ReopenIdx|ResetSorter|Seek\w+|SequenceTest)$/;

export function findStores(program: Program): Store[] {
  const list = (pattern: RegExp): ExplainRow[] => program.filter(({ opcode }) => pattern.test(opcode));
  // A second cursor on the same table, or rows taken over as they are.
  const shared = new Set(list(/^(OpenDup|RowCell)$/).map(({ p2 }) => p2));
  for (const { p1 } of list(disturbingOpcode)) shared.add(p1);
  const cursors = Map.groupBy(list(usingOpcode), ({ p1 }) => p1);
  for (const cursor of shared) cursors.delete(cursor);
  const stores = [...cursors.values()].flatMap(readCursor);
  // A row found through several indexes is put in several times; that takes a subroutine.
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
  // Emptied in between, it is no simple store; nor is a lasting table.
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
  // A sorter for the first few rows throws its worst one away.
  else if (op.opcode === 'Delete') add(left, -1);
  else if (op.opcode === 'RowSetRead') add(falls ? left : scans, falls ? -1 : 1);
  else if (/Next/.test(op.opcode)) add(falls ? open : left, -1);
  else {
    add(scans, 1);
    add(open, falls ? 1 : 0);
    add(left, falls ? -1 : 0);
  }
}

/** The cases of which one holds in every run, given the sums of the tallies: none of the listed is negative. */
export function listStoreCases({ distinct }: Store, finished: boolean, sums: readonly Sum[]): Sum[][] {
  const notOverdrawn = sums[left]!;
  const again = [[shift(sums[scans]!, -2)], [shift(sums[fills]!, -2)]];
  if (!finished || !distinct) return [[notOverdrawn], ...again];
  // Emptied, left half-way, or never scanned.
  const ends = [negate(sums[left]!), shift(sums[open]!, -1), negate(sums[scans]!)];
  return [...ends.map((end) => [notOverdrawn, end]), ...again];
}
