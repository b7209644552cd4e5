/**
 * Keeps the data directory below a size. Each minute it measures the directory; if that is too large, it drops the
 * oldest events, and if that is not sufficient, it shortens the history of objects step by step, to an hour at the
 * least. It refuses no writes: the remaining data is the zones and the account themselves. A disk that is really full
 * refuses writes by itself.
 */
import { type Clock, type Log, measureDirectory, realClock, type Timer } from '#base';
import type { Control } from '#control';
import type { Config } from './config/read-config.ts';

export interface DataSizeOptions {
  readonly directory: string;
  readonly bytesMax: number;
  /** How long history is kept while there is space. */
  readonly historyMs: number;
  /** Drops the oldest events until this many bytes are free; resolves to the freed bytes. */
  readonly dropEvents: (bytes: number) => Promise<number>;
  /** Deletes older history; resolves to the number of deleted files. */
  readonly shortenHistory: (retentionMs: number) => Promise<number>;
  readonly clock: Clock;
  readonly log: Log;
}

const checkMs = 60_000;
const dayMs = 86_400_000;
const historyMsMin = 3_600_000;

/** Undefined if there is no limit, or no data in files. */
export function limitDataSize(
  { config: { settings }, log }: { readonly config: Config; readonly log: Log },
  { files, runtime }: Control,
): DataSizeLimit | undefined {
  const { data, dataBytes, historyDays } = settings;
  if (dataBytes === 0 || files === undefined) return undefined;
  return new DataSizeLimit({
    directory: data,
    bytesMax: dataBytes,
    historyMs: historyDays * dayMs,
    dropEvents: (bytes) => files.events.dropOldest(bytes),
    shortenHistory: (retentionMs) => runtime.giveBackHistory({ retentionMs }),
    clock: realClock,
    log,
  });
}

export class DataSizeLimit {
  readonly #options: DataSizeOptions;
  #timer: Timer | undefined;
  #check: Promise<void>;

  constructor(options: DataSizeOptions) {
    this.#options = options;
    this.#check = this.#enforceSafely();
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
    await this.#check;
    this.#timer?.cancel();
  }

  /** Resolves to the final size. */
  async enforce(): Promise<number> {
    const { directory, bytesMax, dropEvents, shortenHistory, historyMs, log } = this.#options;
    let bytes = await measureDirectory(directory);
    if (bytes <= bytesMax) return bytes;
    const dropped = await dropEvents(bytes - bytesMax);
    if (dropped > 0)
      log.warn('dropped the oldest events: the data directory is too large', { bytes, dropped });
    bytes = await measureDirectory(directory);
    for (let keptMs = historyMs / 2; bytes > bytesMax && keptMs >= historyMsMin; keptMs /= 2) {
      const files = await shortenHistory(keptMs);
      if (files === 0) continue;
      log.warn('shortened the history of objects: the data directory is too large', { bytes, keptMs });
      bytes = await measureDirectory(directory);
    }
    if (bytes > bytesMax) {
      log.error('the data directory is larger than data_bytes, and nothing more can be dropped', {
        bytes,
        bytesMax,
      });
    }
    return bytes;
  }

  async #enforceSafely(): Promise<void> {
    await this.enforce().catch((error: unknown) =>
      this.#options.log.error('could not limit the size of the data directory', { error }),
    );
    const { clock } = this.#options;
    this.#timer = clock.setTimer(
      clock.now() + checkMs,
      () => void (this.#check = this.#enforceSafely()),
      'housekeeping',
    );
  }
}
