/**
 * The files of a runtime as of one position of the journal. The tables are those of their newest manifest, which is
 * never ahead of the log; opening the copy replays the rest, as after a crash. The journal ends at the position, and
 * every image that a record before it names is there, because housekeeping is held.
 */
import type { Journal, Position } from '#journal';
import type { Tables } from '#tables';
import type { Images } from '../history/images.ts';
import type { BackupFile, HeldFiles } from './backup-file.ts';

export interface HeldDirectory extends HeldFiles {
  /** The end of the log that is copied; with several hosts, of the longest. */
  readonly position: Position;
  /** The names at the top of the directory that are the objects': no other part copies them. */
  readonly names: readonly string[];
}

interface HoldParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly images: Images;
  /** Keeps history on disk. */
  readonly hold: Disposable;
}

/** The names at the top of a directory that are the runtime's, with those that no copy needs. */
export const runtimeNames = ['journal', 'tables', 'images', 'live', 'lock', 'lock.holder'] as const;

export async function holdDirectory({ journal, tables, images, hold }: HoldParts): Promise<HeldDirectory> {
  const held = tables.hold();
  try {
    // First the tables, then the log: it reaches at least as far.
    const position = journal.durableEnd;
    const log: BackupFile[] = journal.listFiles(position).map(({ name, bytes, length, salt }) => ({
      path: `journal/${name}`,
      bytes,
      length,
      stamp: salt,
    }));
    const runs: BackupFile[] = held.runs.map(({ name, bytes, checksum }) => ({
      path: `tables/${name}`,
      bytes,
      stamp: checksum.toString(16).padStart(8, '0'),
    }));
    const { name, bytes: content } = held.manifest;
    const manifest: BackupFile = { path: `tables/${name}`, bytes: content.length, content };
    const pictures = listImages(images, position);
    const files = [...log, ...runs, ...pictures, manifest];
    return {
      position,
      names: runtimeNames,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
      files,
      [Symbol.dispose]: () => {
        held.release();
        hold[Symbol.dispose]();
      },
    };
  } catch (error) {
    held.release();
    hold[Symbol.dispose]();
    throw error;
  }
}

/** Those that records before `position` can name. */
function listImages(images: Images, position: Position): BackupFile[] {
  return [...images.list()]
    .filter((image) => image.position < position)
    .map(({ shard, name }) => {
      const bytes = images.sizeOf(`${shard}/${name}`);
      return { path: `images/${shard.slice(shard.lastIndexOf('/') + 1)}/${name}`, bytes, stamp: `${bytes}` };
    });
}
