/**
 * Repairs a directory whose files are missing or damaged. The tables are a view of the log: while the log reaches back
 * to its start, they are rebuilt from it as a whole. The images of objects with SQL storage are rebuilt one by one.
 * Losses are reported object by object, and nothing that might still be useful is deleted.
 */
import { realClock } from '#base';
import { type FileSystem, findFreeName, realFileSystem } from '#files';
import { Journal, firstPosition } from '#journal';
import { DirectoryLock } from '#sqlite';
import { Tables, TablesDamageError } from '#tables';
import type { Repair } from './history/repair-object.ts';
import { refuseLostLog } from './files/refused-directories.ts';
import { replay } from './ledger/replay.ts';
import { type Runtime, createRuntime } from './runtime.ts';

export interface RepairOptions {
  readonly directory: string;
  /** Reports what would be done, without doing it. */
  readonly dryRun?: boolean;
  readonly log?: (message: string, error?: unknown) => void;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal */
  readonly segmentBytes?: number;
}

/** Repairs a directory that no runtime has open. Throws the error that keeps the log itself from being opened. */
export async function* repairDirectory(options: RepairOptions): AsyncGenerator<Repair> {
  const { directory, dryRun = false, log, fs, segmentBytes } = options;
  const { repair, isUsable } = await repairTables(options);
  if (repair !== undefined) yield repair;
  if (!isUsable) return;
  try {
    await using runtime: Runtime = await createRuntime({
      directory,
      classes: 'recorded',
      salvage: true,
      ...(log === undefined ? {} : { log }),
      ...(fs === undefined ? {} : { fs }),
      ...(segmentBytes === undefined ? {} : { segmentBytes }),
    });
    yield* runtime.repair({ dryRun });
  } catch (error) {
    if (!(error instanceof TablesDamageError)) throw error;
    const detail = 'this file says which objects there are: those behind this place cannot be looked at';
    yield { file: error.file, problem: error.problem, outcome: 'lost', detail };
  }
}

interface TablesRepair {
  readonly repair: Repair | undefined;
  /** Whether the objects can be checked now. */
  readonly isUsable: boolean;
}

async function repairTables({
  directory,
  dryRun = false,
  fs = realFileSystem,
}: RepairOptions): Promise<TablesRepair> {
  using _lock = DirectoryLock.acquire(directory);
  refuseLostLog(fs, directory);
  const damage = await findDamage(fs, `${directory}/tables`);
  if (damage === undefined) return { repair: undefined, isUsable: true };
  const { file, problem, isOpen } = damage;
  const journal = await Journal.open({
    directory: `${directory}/journal`,
    fs,
    clock: realClock,
    salvage: true,
  });
  try {
    const reason = await whyNotRebuilt(journal);
    if (reason !== undefined) {
      const detail = `the tables cannot be rebuilt, ${reason}. Put the directory back from a backup`;
      return { repair: { file, problem, outcome: 'lost', detail }, isUsable: isOpen };
    }
    if (dryRun) {
      const detail = 'the tables, from the log; the objects are looked at once that is done';
      return { repair: { file, problem, outcome: 'rebuildable', detail }, isUsable: false };
    }
    const aside = setAside(fs, directory);
    const tables = Tables.open({ directory: `${directory}/tables`, fs });
    try {
      await replay(journal, tables);
      await tables.flush();
    } finally {
      await tables.close();
    }
    const detail = `the tables, from the log; the damaged ones are in ${aside}`;
    return { repair: { file, problem, outcome: 'rebuilt', detail }, isUsable: true };
  } finally {
    await journal.close();
  }
}

/** The first problem of the tables, and whether they can be opened nevertheless. */
async function findDamage(
  fs: FileSystem,
  directory: string,
): Promise<{ file: string; problem: string; isOpen: boolean } | undefined> {
  let tables: Tables;
  try {
    tables = Tables.open({ directory, fs });
  } catch (error) {
    if (!(error instanceof TablesDamageError)) throw error;
    return { file: error.file, problem: error.problem, isOpen: false };
  }
  try {
    for await (const { file, problem } of tables.scrub()) return { file, problem, isOpen: true };
    return undefined;
  } finally {
    await tables.close();
  }
}

/** Rebuilding needs every record ever written. */
async function whyNotRebuilt(journal: Journal): Promise<string | undefined> {
  if (journal.start !== firstPosition) {
    return `the log reaches back to position ${journal.start} only, and what came before is in the tables alone`;
  }
  for await (const { message } of journal.scrub()) return `the log is damaged, too: ${message}`;
  return undefined;
}

/** Keeps the damaged tables under another name. */
function setAside(fs: FileSystem, directory: string): string {
  const taken = new Set(fs.readdirSync(directory));
  const aside = `${directory}/${findFreeName('tables.damaged', (name) => taken.has(name))}`;
  fs.renameSync(`${directory}/tables`, aside);
  fs.fsyncDirectorySync(directory);
  return aside;
}
