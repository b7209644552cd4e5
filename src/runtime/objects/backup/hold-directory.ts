/**
 * The files of a runtime as of one position of the journal. The tables are those of their newest manifest, which is
 * never ahead of the log; opening the copy replays the rest, as after a crash. The journal ends at the position, and
 * every image that a record before it names is there, because housekeeping is held.
 *
 * The tables are held first, and the position is found when the files are listed. So a copy can be of a moment in
 * between, at which other directories with their own logs are copied as well.
 */
import type { Clock } from '#base';
import { keepFiles } from '#files';
import type { Journal, Position } from '#journal';
import type { Tables } from '#tables';
import type { Images } from '../history/images.ts';
import type { BackupFile } from './backup-file.ts';
import { findEnd } from './find-end.ts';

export interface HeldDirectory extends Disposable {
  /** The names at the top of the directory that belong to the objects: no other part copies them. */
  readonly names: readonly string[];
  /** Approximately the bytes that will be copied, for progress reports. */
  readonly bytes: number;
  /** The files as of a moment after the hold; by default, of now. */
  list(time?: number): Promise<ListedDirectory>;
}

export interface ListedDirectory {
  /** The end of the log that is copied; with several hosts, of the longest. */
  readonly position: Position;
  readonly files: Iterable<BackupFile> | AsyncIterable<BackupFile>;
}

interface HoldParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly images: Images;
  readonly clock: Clock;
  /** Keeps history on disk. */
  readonly hold: Disposable;
}

/** The names at the top of a directory that belong to the runtime, including those that no copy needs. */
export const runtimeNames = ['journal', 'tables', 'images', 'live', 'lock', 'lock.holder'] as const;

export async function holdDirectory(parts: HoldParts): Promise<HeldDirectory> {
  using stack = new DisposableStack();
  stack.use(parts.hold);
  stack.use(keepFiles());
  const held = stack.adopt(parts.tables.hold(), ({ release }) => release());
  const { name, bytes: content } = held.manifest;
  const derived: BackupFile[] = held.runs.map((run) => ({
    path: `tables/${run.name}`,
    bytes: run.bytes,
    stamp: run.checksum.toString(16).padStart(8, '0'),
  }));
  derived.push({ path: `tables/${name}`, bytes: content.length, content });
  const list = (position: Position): BackupFile[] => [...listLog(parts, position), ...derived];
  const kept = stack.move();
  return {
    names: runtimeNames,
    bytes: list(parts.journal.durableEnd).reduce((sum, { bytes }) => sum + bytes, 0),
    list: async (time) => {
      const position = findPosition(parts, time);
      return { position, files: list(position) };
    },
    [Symbol.dispose]: () => kept[Symbol.dispose](),
  };
}

function findPosition({ journal, clock }: HoldParts, time: number | undefined): Position {
  const { durableEnd } = journal;
  if (time === undefined) return durableEnd;
  const newest = findEnd(journal, undefined)!.time;
  // While a clock that was set back has not caught up, times in the log say nothing about what came first.
  if (newest === undefined || newest <= time || newest > clock.now()) return durableEnd;
  return findEnd(journal, time)?.position ?? journal.start;
}

/** The log up to `position`, and the images that records before it can name. */
function listLog({ journal, images }: HoldParts, position: Position): BackupFile[] {
  const log: BackupFile[] = journal.listFiles(position).map(({ name, bytes, length, salt }) => ({
    path: `journal/${name}`,
    bytes,
    length,
    stamp: salt,
  }));
  const pictures = [...images.list()]
    .filter((image) => image.position < position)
    .map(({ shard, name }) => {
      const bytes = images.sizeOf(`${shard}/${name}`);
      return { path: `images/${shard.slice(shard.lastIndexOf('/') + 1)}/${name}`, bytes, stamp: `${bytes}` };
    });
  return [...log, ...pictures];
}
