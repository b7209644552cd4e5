/**
 * Scans: many rows from all sources, as they were when the scan began. The sources are captured synchronously at the start
 * of the scan, and runs are held until it ends.
 */
import { pageBytesMax, pageRowsMax } from './limits.ts';
import type { Memtable } from './memtable.ts';
import { Merge } from './runs/merge.ts';
import { Pacer } from './pacer.ts';
import {
  type RowCursor,
  type RowRange,
  makeEntryKey,
  readKey,
  makeOwnerEnd,
  readOwner,
  makePrefixRange,
  unpin,
} from './row.ts';
import { RunCursor } from './runs/run-cursor.ts';
import { type Run, createProbe } from './runs/run.ts';

export interface Sources {
  readonly memtablesNewestFirst: readonly Memtable[];
  readonly runsNewestFirst: readonly Run[];
}

export interface KeyRange {
  /** The first key, inclusive. */
  readonly start?: string;
  /** Where to stop, exclusive. */
  readonly end?: string;
  readonly reverse?: boolean;
  readonly limit?: number;
}

export type KeyedValue = [key: string, value: Uint8Array];

/** An owner's entries in pages. The last page may be empty. */
export async function* scanEntries(
  sources: Sources,
  owner: string,
  { start = '', end, reverse = false, limit = Infinity }: KeyRange,
): AsyncGenerator<KeyedValue[], void, void> {
  const range = {
    lower: makeEntryKey(owner, start),
    upper: end === undefined ? makeOwnerEnd(owner) : makeEntryKey(owner, end),
  };
  using held = hold(sources.runsNewestFirst);
  const rows = await openOwner({ ...sources, runsNewestFirst: held.runs }, owner, range, reverse);
  const pacer = new Pacer();
  let left = limit;
  let page: KeyedValue[] = [];
  let pageBytes = 0;
  while (rows.key !== undefined && left > 0) {
    const { value } = rows;
    if (value !== null) {
      page.push([readKey(rows.key), unpin(value)]);
      pageBytes += value.length;
      left -= 1;
    }
    if (page.length === pageRowsMax || pageBytes >= pageBytesMax) {
      yield page;
      page = [];
      pageBytes = 0;
    }
    // Reading the row after the last requested one may need a disk read.
    if (left === 0) break;
    if (pacer.step()) await pacer.rest();
    const moving = rows.next();
    if (moving !== undefined) await moving;
  }
  yield page;
}

/** The owners with this prefix that have an entry. */
export async function* scanOwners(sources: Sources, prefix: string): AsyncGenerator<string, void, void> {
  const range = makePrefixRange(prefix);
  const cursors: RowCursor[] = sources.memtablesNewestFirst.map((memtable) =>
    memtable.openCursor(range, false),
  );
  using held = hold(sources.runsNewestFirst);
  for (const run of held.runs) {
    cursors.push(await RunCursor.open(run, { range, reverse: false, expect: 'all' }));
  }
  const rows = await Merge.open(cursors);
  const pacer = new Pacer();
  while (rows.key !== undefined) {
    const owner = readOwner(rows.key);
    const isLive = rows.value !== null;
    if (isLive) yield owner;
    if (pacer.step()) await pacer.rest();
    const moving = isLive ? rows.seek(makeOwnerEnd(owner)) : rows.next();
    if (moving !== undefined) await moving;
  }
}

function hold(runs: readonly Run[]): Disposable & { readonly runs: readonly Run[] } {
  for (const run of runs) run.retain();
  return {
    runs,
    [Symbol.dispose]: () => {
      for (const run of runs) run.release();
    },
  };
}

/** Merges the sources that may have rows of the owner, down to the first that drops it. */
async function openOwner(
  { memtablesNewestFirst, runsNewestFirst }: Sources,
  owner: string,
  range: RowRange,
  reverse: boolean,
): Promise<Merge> {
  const cursors: RowCursor[] = [];
  for (const memtable of memtablesNewestFirst) {
    cursors.push(memtable.openCursor(range, reverse));
    if (memtable.drops(owner)) return Merge.open(cursors, reverse);
  }
  const probe = createProbe(owner, '');
  for (const run of runsNewestFirst) {
    if (!run.mayHaveOwner(owner)) continue;
    cursors.push(await RunCursor.open(run, { range, reverse, expect: 'some' }));
    if (await run.drops(probe)) break;
  }
  return Merge.open(cursors, reverse);
}
