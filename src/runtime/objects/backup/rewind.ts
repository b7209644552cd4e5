/**
 * Makes a copied directory ready for use, as it was at the end of its log or at an earlier moment: the log is truncated
 * there, and everything derived from it is adapted.
 *
 * The tables of a copy may be newer than the moment. Then they are rebuilt: from the whole log if it reaches back to
 * its first record, otherwise by going back along the history of each object. Key-value data has no history, so the
 * second way is for directories without it.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { type Clock, realClock } from '#base';
import { type FileSystem, realFileSystem } from '#files';
import { cutJournal, Journal, type Position, firstPosition } from '#journal';
import { DirectoryLock } from '#sqlite';
import { Tables } from '#tables';
import { Images } from '../history/images.ts';
import type { Repair } from '../history/repair-object.ts';
import { replay } from '../ledger/replay.ts';
import { createRuntime } from '../runtime.ts';
import type { OnProgress } from '../progress.ts';
import { findEnd, type LogEnd } from './find-end.ts';
import { rewindEntries } from './rewind-entries.ts';

export interface RewindOptions {
  /** A copy: no process has it open, and what is cut off is lost. */
  readonly directory: string;
  /** The moment to restore; by default the end of the log. */
  readonly time?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Where the log ends now. */
export interface Rewound extends LogEnd {
  /** When its first record was written, if that is after the moment: the log has no records then. */
  readonly beginsLater?: string;
}

/** Also rebuilds the images that the records at that moment name and that were superseded later. */
export async function rewindDirectory({
  directory,
  time,
  onProgress,
}: RewindOptions): Promise<Rewound & { readonly repairs: readonly Repair[] }> {
  const rewound = await rewindFiles({ directory, time, fs: realFileSystem, clock: realClock });
  await using runtime = await createRuntime({ directory, classes: 'recorded' });
  const repairs = await Array.fromAsync(runtime.repair({ onlyMissing: true, onProgress }));
  return { ...rewound, repairs };
}

interface RewindParts {
  readonly directory: string;
  readonly time: number | undefined;
  readonly fs: FileSystem;
  readonly clock: Clock;
}

async function rewindFiles({ directory, time, fs, clock }: RewindParts): Promise<Rewound> {
  using _lock = DirectoryLock.acquire(directory);
  const log = `${directory}/journal`;
  const journal = await Journal.open({ directory: log, fs, clock });
  let end: Rewound;
  try {
    end = findEndOf(journal, time);
    await prepareTables(journal, directory, end.position);
  } finally {
    await journal.close();
  }
  await cutJournal(fs, log, end.position);
  removeLaterImages(fs, directory, end.position);
  return end;
}

/** A log that has its first record, and only later ones than `time`, becomes one without records. */
function findEndOf(journal: Journal, time: number | undefined): Rewound {
  const end = findEnd(journal, time);
  if (end !== undefined) return end;
  const begins = describeStart(journal);
  if (journal.start === firstPosition)
    return { position: firstPosition, time: undefined, beginsLater: begins };
  throw new RangeError(
    `cannot go back to ${new Date(time!).toISOString()}: the log starts later, at ${begins}`,
  );
}

function describeStart(journal: Journal): string {
  for (const { time } of journal.scan(journal.start)) return new Date(time).toISOString();
  return 'an unknown time';
}

/** Ensures that the tables are not ahead of the log once it is truncated. */
async function prepareTables(journal: Journal, directory: string, end: Position): Promise<void> {
  const tablesDirectory = `${directory}/tables`;
  const tables = Tables.open({ directory: tablesDirectory });
  try {
    if (tables.position <= end) return;
    if (journal.start !== firstPosition) {
      await replay(journal, tables);
      await rewindEntries({ journal, tables, directory, end });
    }
  } finally {
    await tables.close();
  }
  rmSync(tablesDirectory, { recursive: true });
  if (existsSync(`${tablesDirectory}.rewound`)) renameSync(`${tablesDirectory}.rewound`, tablesDirectory);
}

/** Removes images of later records: their positions will be assigned again. */
function removeLaterImages(fs: FileSystem, directory: string, end: Position): void {
  for (const { shard, name, position } of new Images(fs, `${directory}/images`).list()) {
    if (position >= end) fs.unlinkSync(`${shard}/${name}`);
  }
}
