import type { Clock } from '#base';
import type { FileSystem } from '#files';
import type { Position } from './position.ts';
import type { Room } from './segment.ts';

export interface JournalOptions {
  readonly directory: string;
  readonly fs: FileSystem;
  readonly clock: Clock;
  /** `disk`: durable means synced. `os`: durable means passed to the kernel, and a power cut may lose it. */
  readonly durability?: 'disk' | 'os';
  readonly segmentBytes?: number;
  /**
   * Where a new log starts, instead of at the first position: after the end of every log whose records move into it.
   */
  readonly start?: Position;
  /** How space is preallocated; by default `written` with durability `disk`, and `hole` with `os`. */
  readonly ahead?: Room['ahead'];
  /** Opens a log whose older files are damaged or missing, to save what is left: reading a damaged part throws. */
  readonly salvage?: boolean;
}

export interface Appended {
  readonly position: Position;
  readonly end: Position;
  readonly time: number;
  readonly durable: Promise<void>;
}

/** Records that become durable together or fail together: one write, one sync, inside one segment. */
export interface RecordBatch {
  readonly records: PendingRecord[];
  span: number;
  readonly durable: PromiseWithResolvers<void>;
}

interface PendingRecord {
  readonly position: Position;
  readonly time: number;
  readonly payload: readonly Uint8Array[];
  readonly settle: (() => void) | undefined;
}
