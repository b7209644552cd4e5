/**
 * A log in a directory of its own, which one process at a time may open; the caller holds the lock.
 *
 * ```
 * <directory>/tail/          a journal of the events received last
 * <directory>/…Z-….events    segments
 * ```
 */
import type { Clock } from '#base';
import { type FileSystem, makeDirectory } from '#files';
import { Journal, JournalDamageError } from '#journal';
import type { BlockHead } from '../blocks/block.ts';
import { parseName, type SegmentName } from '../blocks/segment-format.ts';
import { EventsDamageError } from '../errors.ts';
import type { EventHome, FrameLog, ReadBlock, Segment, StoredBlock } from '../home.ts';
import { tailSegmentBytes } from '../limits.ts';
import { removeLinks } from './held-files.ts';
import { SegmentFile } from './segment-file.ts';

export interface FileHomeOptions {
  /** Created if it does not exist; its parent must. */
  readonly directory: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  readonly durability: 'disk' | 'os';
  readonly onDamage: (damage: EventsDamageError) => void;
}

export class FileHome implements EventHome {
  readonly isOver = false;
  readonly #options: FileHomeOptions;

  constructor(options: FileHomeOptions) {
    const { directory, fs } = options;
    this.#options = options;
    makeDirectory(directory, fs);
    removeLinks(fs, directory);
  }

  /**
   * A damaged tail is set aside: the events received last are lost to the log, but not the log itself. Its files are
   * kept under a name that contains the time.
   */
  async openFrames(read: (frames: FrameLog) => void): Promise<FrameLog> {
    const { directory, fs, clock, onDamage } = this.#options;
    try {
      return await this.#openJournal(read);
    } catch (error) {
      if (!(error instanceof JournalDamageError)) throw error;
      const aside = `${directory}/tail.damaged-${clock.now()}`;
      await fs.rename(`${directory}/tail`, aside);
      onDamage(new EventsDamageError(`the tail is set aside as ${aside}`, error));
      return this.#openJournal(read);
    }
  }

  async #openJournal(read: (frames: FrameLog) => void): Promise<Journal> {
    const { directory, fs, clock, durability } = this.#options;
    const sized = { segmentBytes: tailSegmentBytes, ahead: 'hole' } as const;
    const journal = await Journal.open({ directory: `${directory}/tail`, fs, clock, durability, ...sized });
    try {
      read(journal);
      return journal;
    } catch (error) {
      await journal.close();
      throw error;
    }
  }

  async openSegments(): Promise<Segment[]> {
    const { directory, fs } = this.#options;
    const names = fs.readdirSync(directory).map(parseName);
    const segments = names.map((name) => name && SegmentFile.open(this.#options, name));
    // Names that a killed process created or removed must be durable before further writes depend on them.
    fs.fsyncDirectorySync(directory);
    return segments.filter((segment) => segment !== undefined);
  }

  createSegment(name: SegmentName): Promise<Segment> {
    return SegmentFile.create(this.#options, name);
  }

  async readHeads(segment: Segment): Promise<ReadonlyMap<Segment, readonly BlockHead[]>> {
    return new Map([[segment, await segment.readHeads()]]);
  }

  readBlock({ segment, head }: StoredBlock): Promise<ReadBlock | undefined> {
    return segment.readBlock(head);
  }

  settleDropped(): Promise<void> {
    return this.#options.fs.fsyncDirectory(this.#options.directory);
  }
}
