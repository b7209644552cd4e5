/**
 * The content of a copy of a data directory that is in use. Each part of it (the objects, and any other that stores
 * files there) lists the files that belong to the copy and keeps their bytes unchanged until the copy is done.
 */

import type { Damage } from '../inspection/scrub.ts';

/** A file of a backup. */
export interface BackupFile {
  /** Below the data directory, with `/` between folders. */
  readonly path: string;
  /** How many bytes from its start belong to the copy. They do not change while it is held. */
  readonly bytes: number;
  /** The length of the file when it is put back, if it is longer: the rest is zeros. */
  readonly length?: number;
  /**
   * Two files with the same path and stamp start with the same bytes, so that what an earlier backup contains of it
   * need not be copied again. A file without a stamp is always copied.
   */
  readonly stamp?: string;
  /** Where the bytes are read from, below the data directory, if not from `path`. */
  readonly source?: string;
  /** The bytes, for a file that may be replaced at any time; otherwise they are read from the directory. */
  readonly content?: Uint8Array;
}

/** A part of a data directory that can be copied while the directory is in use. */
export interface BackupPart {
  /** Its own names at the top of the data directory: no other part copies them. */
  readonly names: readonly string[];
  /** Keeps its files unchanged until the result is disposed of. */
  hold(): Promise<HeldFiles>;
  /** Reads its files and reports what is damaged. */
  scrub?(): AsyncIterable<Damage>;
}

export interface HeldFiles extends Disposable {
  /** Bytes of all files, for progress reports. */
  readonly bytes: number;
  readonly files: Iterable<BackupFile> | AsyncIterable<BackupFile>;
}
