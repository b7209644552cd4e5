/**
 * Moves all objects of some directories into others, with their history, alarms and bookmarks: so that another number
 * of hosts can share them. The sources are only read; the caller decides when the targets replace them, and may start
 * over after a crash.
 */
import { type FileSystem, realFileSystem } from '#files';
import { nextTurn } from '#work';
import type { Journal, JournalRecord, Position } from '#journal';
import { alarmBytes, alarmOf, decodeEntry, reserved } from '../ledger/catalogue.ts';
import { type Commit, type Owner, decodeCommit } from '../ledger/records.ts';
import type { OnProgress } from '../progress.ts';
import { SourceDirectory } from './source-directory.ts';
import { TargetDirectory } from './target-directory.ts';

export interface RedistributeOptions {
  /** Directories of runtimes that no process has open. */
  readonly from: readonly string[];
  /** Directories that do not exist. */
  readonly to: readonly string[];
  /** Returns the index in `to` of the directory for an object. */
  readonly place: (idHex: string) => number;
  readonly onProgress?: OnProgress;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal */
  readonly segmentBytes?: number | undefined;
}

/** Records processed before the event loop gets a turn. */
const recordsPerTurn = 1_000;

export async function redistributeObjects(options: RedistributeOptions): Promise<void> {
  const { from, to, place, onProgress, fs = realFileSystem, segmentBytes } = options;
  await using opened = new AsyncDisposableStack();
  const sources: SourceDirectory[] = [];
  for (const directory of from) sources.push(opened.use(await SourceDirectory.open(fs, directory)));
  const start = Math.max(...sources.map(({ journal }) => journal.durableEnd)) as Position;
  const targets: TargetDirectory[] = [];
  for (const directory of to) {
    const target = await TargetDirectory.open(fs, directory, { start, segmentBytes });
    targets.push(opened.adopt(target, (each) => each.close()));
  }
  await moveClasses(sources, targets);
  const find = (idHex: string): TargetDirectory => targets[place(idHex)]!;
  await moveRecords(sources, find, onProgress);
  for (const source of sources) await moveTables(source, find);
  for (const target of targets) await target.finish();
}

/** Gives every target all classes, under the same numbers. */
async function moveClasses(
  sources: readonly SourceDirectory[],
  targets: readonly TargetDirectory[],
): Promise<void> {
  const numbers = new Map<string, number>();
  for (const { classes } of sources) {
    for (const { key, name } of classes) {
      if (numbers.has(key)) continue;
      numbers.set(key, numbers.size + 1);
      const value = Buffer.concat([Buffer.of(numbers.size & 0xff, numbers.size >> 8), Buffer.from(name)]);
      for (const target of targets) await target.addChange({ owner: reserved.classes, key, value });
    }
  }
  for (const source of sources) source.renumber(numbers);
}

/** Moves the records in the order of their times, which each log requires. */
async function moveRecords(
  sources: readonly SourceDirectory[],
  find: (idHex: string) => TargetDirectory,
  onProgress: OnProgress | undefined,
): Promise<void> {
  const total = sources.reduce((sum, { journal }) => sum + bytesOf(journal), 0);
  const logs = sources.map((source) => ({
    source,
    records: scan(source.journal),
    next: undefined as ScannedCommit | undefined,
  }));
  for (const log of logs) log.next = take(log.records);
  let done = 0;
  for (let moved = 1; ; moved++) {
    const log = logs
      .filter(({ next }) => next !== undefined)
      .reduce<(typeof logs)[number] | undefined>(
        (best, each) => (best === undefined || each.next!.record.time < best.next!.record.time ? each : best),
        undefined,
      );
    if (log === undefined) return;
    const { commit, record } = log.next!;
    await find(log.source.translate(commit.owner).idHex).addRecord(log.source, { commit, record });
    done += record.end - record.position;
    log.next = take(log.records);
    if (moved % recordsPerTurn !== 0) continue;
    onProgress?.({ step: 'moving objects', done, total });
    await nextTurn();
  }
}

interface ScannedCommit {
  readonly commit: Commit;
  readonly record: JournalRecord;
}

function* scan(journal: Journal): Generator<ScannedCommit> {
  for (const record of journal.scan(journal.start)) {
    const commit = decodeCommit(record.payload);
    // Class declarations are written separately.
    if (commit.declares === undefined) yield { commit, record };
  }
}

function take(records: Generator<ScannedCommit>): ScannedCommit | undefined {
  const { done, value } = records.next();
  return done === true ? undefined : value;
}

function bytesOf({ start, durableEnd }: Journal): number {
  return durableEnd - start;
}

async function moveTables(source: SourceDirectory, find: (idHex: string) => TargetDirectory): Promise<void> {
  const { tables, classes } = source;
  for await (const [key, bytes] of tables.iterate(reserved.objects)) {
    const { idHex } = source.translate(key as Owner);
    await find(idHex).addEntry(source, key as Owner, decodeEntry(bytes));
  }
  for await (const [key, bytes] of tables.iterate(reserved.alarms)) {
    const { owner, idHex } = source.translate(key as Owner);
    await find(idHex).addChange({ owner: reserved.alarms, key: owner, value: alarmBytes(alarmOf(bytes)) });
  }
  for (const { key, number } of classes) {
    if (!key.startsWith('kv:')) continue;
    const prefix = Buffer.of(number & 0xff, number >> 8).toString('latin1');
    for await (const from of tables.owners(prefix)) {
      const { owner, idHex } = source.translate(from as Owner);
      for await (const [name, value] of tables.iterate(from)) {
        await find(idHex).addChange({ owner, key: name, value });
      }
    }
  }
}
