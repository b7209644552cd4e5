/**
 * The store: an active memtable, at times a frozen one on its way to disk, and the runs. A read searches them in this
 * order, newest first, and stops at the first that contains the key.
 *
 * - Every batch applied is complete in exactly one memtable or in the runs.
 * - `position` moves only when a manifest with that position is durable. What was applied later is only in memory, and
 *   is replayed from the journal after a crash.
 * - A flush that fails keeps its memtable frozen and readable; the next flush tries it again first.
 * - At most one flush and one merge of runs are in progress. Neither blocks `apply` or reads.
 */
import { type FileSystem, realFileSystem } from '#files';
import { chooseMerge, mergeRuns, weigh } from './runs/compaction.ts';
import type { Damage } from './damage-error.ts';
import {
  cacheBytesMaxDefault,
  keyBytesMax,
  memtableBytesMaxDefault,
  ownerBytes,
  runsMax,
  valueBytesMax,
} from './limits.ts';
import { Memtable } from './memtable.ts';
import { type RowValue, makeEntryKey, makePrefixRange, unpin } from './row.ts';
import { RunSet } from './runs/run-set.ts';
import { manifestFileName } from './runs/manifest.ts';
import { type Probe, type Run, createProbe, formatRunName } from './runs/run.ts';
import { type KeyedValue, type KeyRange, type Sources, scanEntries, scanOwners } from './scan.ts';
import { scrubManifest, scrubRun } from './scrub.ts';

/**
 * Owners and keys are binary strings: one character per byte. Values are not copied, so the caller must not change them
 * later.
 */
export type TableChange =
  | { readonly owner: string; readonly key: string; readonly value: Uint8Array | null }
  | { readonly owner: string; readonly drop: true };

export interface TablesOptions {
  /** Created if it does not exist; its parent must exist. No other process may open it at the same time. */
  readonly directory: string;
  /** Above this size, `needsFlush` is true. */
  readonly memtableBytesMax?: number;
  readonly cacheBytesMax?: number;
  /** False omits every sync: then a crash of the machine may damage the store, but a crash of the process cannot. */
  readonly durable?: boolean;
  /** Called before a manifest is written: makes the journal durable up to the position that the manifest will contain. */
  readonly beforePublish?: () => Promise<void>;
  readonly fs?: FileSystem;
}

export interface TablesStats {
  readonly runs: number;
  readonly bytesOnDisk: number;
  readonly rowsOnDisk: number;
  readonly memtableBytes: number;
  readonly memtableRows: number;
  readonly cacheBytes: number;
  /** Indexes and filters of the runs. */
  readonly indexBytes: number;
  /** Why the last merge of runs failed, if it did. Reads are not affected; the next flush tries again. */
  readonly compactionError: unknown;
}

/** The store as of one manifest. */
export interface HeldTables {
  readonly position: number;
  readonly manifest: { readonly name: string; readonly bytes: Uint8Array };
  readonly runs: readonly { readonly name: string; readonly bytes: number; readonly checksum: number }[];
  readonly release: () => void;
}

type StoredBytes = Uint8Array | undefined;

export class Tables {
  readonly #fs: FileSystem;
  readonly #runs: RunSet;
  readonly #memtableBytesMax: number;
  readonly #beforePublish: (() => Promise<void>) | undefined;
  readonly #closing = new AbortController();
  #active: Memtable;
  #frozen: Memtable | undefined;
  #flushing: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #compactionError: unknown;

  private constructor(options: TablesOptions) {
    const { directory, durable = true, fs = realFileSystem } = options;
    const { memtableBytesMax = memtableBytesMaxDefault, cacheBytesMax = cacheBytesMaxDefault } = options;
    this.#fs = fs;
    this.#memtableBytesMax = memtableBytesMax;
    this.#beforePublish = options.beforePublish;
    this.#runs = RunSet.open({ fs, directory, durable, cacheBytesMax });
    this.#active = new Memtable(this.#runs.position);
  }

  /** Opens or creates a store. Throws a `TablesDamageError` if its manifest or an index cannot be verified. */
  static open(options: TablesOptions): Tables {
    return new Tables(options);
  }

  /** Every batch up to here is in the runs: after a crash the journal is replayed from there on. */
  get position(): number {
    return this.#runs.position;
  }

  get needsFlush(): boolean {
    const hasFailed = this.#frozen !== undefined && this.#flushing === undefined;
    return hasFailed || this.#active.bytes >= this.#memtableBytesMax;
  }

  /** Applies a batch in memory, completely or (if a change is not valid) not at all. */
  apply(batch: readonly TableChange[], position: number): void {
    this.#checkOpen();
    checkPosition(position, this.#active.position + 1);
    for (const change of batch) checkChange(change);
    for (const change of batch) {
      if ('drop' in change) this.#active.drop(change.owner);
      else this.#active.set(makeEntryKey(change.owner, change.key), change.value);
    }
    this.#active.position = position;
  }

  /** Records that the journal has reached a position without a batch for this store. */
  touch(position: number): void {
    this.#checkOpen();
    checkPosition(position, this.#active.position);
    this.#active.position = position;
  }

  /** Returns a promise only if the disk must be read. The value must not be modified. */
  get(owner: string, key: string): StoredBytes | Promise<StoredBytes> {
    this.#checkOpen();
    checkOwner(owner);
    const rowKey = makeEntryKey(owner, key);
    for (const memtable of this.#memtables) {
      const value = memtable.find(owner, rowKey);
      if (value !== undefined) return value ?? undefined;
    }
    const runs = this.#runs.newestFirst;
    const value = findInRuns(runs, createProbe(owner, key));
    if (!(value instanceof Promise)) return detach(value);
    for (const run of runs) run.retain();
    return value.then(detach).finally(() => {
      for (const run of runs) run.release();
    });
  }

  /** Entries of one owner as they are now, in the order of their keys. For very many, use `iterate`. */
  async list(owner: string, range: KeyRange = {}): Promise<KeyedValue[]> {
    this.#checkOpen();
    checkOwner(owner);
    const { limit = Infinity } = range;
    if (!(limit >= 0)) throw new RangeError(`list() takes a limit of zero or more: ${limit}`);
    const entries: KeyedValue[] = [];
    for await (const page of scanEntries(this.#sources, owner, range)) {
      for (const entry of page) entries.push(entry);
    }
    return entries;
  }

  /** The same, page by page: the state at the first step, whatever changes meanwhile. */
  async *iterate(owner: string, range: KeyRange = {}): AsyncGenerator<KeyedValue, void, void> {
    this.#checkOpen();
    checkOwner(owner);
    for await (const page of scanEntries(this.#sources, owner, range)) yield* page;
  }

  /** Every owner that starts with these bytes and has an entry, in order. */
  async *owners(prefix = ''): AsyncGenerator<string, void, void> {
    this.#checkOpen();
    if (prefix.length > ownerBytes)
      throw new RangeError(`owners() takes at most ${ownerBytes} bytes: ${prefix.length}`);
    yield* scanOwners(this.#sources, prefix);
  }

  /**
   * Writes what is in memory now to disk, in the background. `position` has advanced when it resolves. A call during a flush
   * joins it. If it rejects, nothing is lost, and the next call tries again.
   */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Merges all runs into one. This frees the space of deleted and overwritten rows. */
  async compact(): Promise<void> {
    this.#checkOpen();
    while (this.#compacting !== undefined) await this.#compacting;
    const merging = this.#mergeAll();
    this.#compactWith(merging);
    await merging;
  }

  /** Reads every file from the disk, in pieces, and reports what is damaged. */
  async *scrub(onBytes: (bytes: number) => void = () => {}): AsyncGenerator<Damage, void, void> {
    this.#checkOpen();
    const runs = this.#runs.newestFirst;
    for (const run of runs) run.retain();
    try {
      yield* scrubManifest(this.#fs, this.#runs.manifestPath);
      for (const run of runs) yield* scrubRun(this.#fs, run, onBytes);
    } finally {
      for (const run of runs) run.release();
    }
  }

  /** Holds what is on disk now, for a copy of it: the files of the runs stay until `release`. */
  hold(): HeldTables {
    this.#checkOpen();
    const { newestFirst, position, manifest } = this.#runs;
    for (const run of newestFirst) run.retain();
    return {
      position,
      manifest: { name: manifestFileName, bytes: manifest },
      runs: newestFirst.map(({ description: { number, bytes, footerCrc } }) => ({
        name: formatRunName(number),
        bytes,
        checksum: footerCrc,
      })),
      release: () => {
        for (const run of newestFirst) run.release();
      },
    };
  }

  /** Closes all files. What was not flushed is still in the journal. */
  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new Error('Cannot use the tables: they are closed'));
    await this.#flushing?.catch(() => undefined);
    await this.#compacting;
    await this.#runs.close();
  }

  stats(): TablesStats {
    const runs = this.#runs.newestFirst;
    const total = (get: (run: Run) => number): number => runs.reduce((sum, run) => sum + get(run), 0);
    return {
      runs: runs.length,
      bytesOnDisk: total((run) => run.description.bytes),
      rowsOnDisk: total((run) => run.footer.rowCount),
      memtableBytes: this.#active.bytes + (this.#frozen?.bytes ?? 0),
      memtableRows: this.#active.rowCount + (this.#frozen?.rowCount ?? 0),
      cacheBytes: this.#runs.cache.bytes,
      indexBytes: total((run) => run.memoryBytes),
      compactionError: this.#compactionError,
    };
  }

  get #memtables(): readonly Memtable[] {
    return this.#frozen === undefined ? [this.#active] : [this.#active, this.#frozen];
  }

  get #sources(): Sources {
    return { memtablesNewestFirst: this.#memtables, runsNewestFirst: this.#runs.newestFirst };
  }

  #checkOpen(): void {
    this.#closing.signal.throwIfAborted();
  }

  async #flush(): Promise<void> {
    this.#checkOpen();
    if (this.#frozen !== undefined) await this.#writeFrozen(this.#frozen);
    this.#frozen = this.#active;
    this.#active = new Memtable(this.#frozen.position);
    await this.#writeFrozen(this.#frozen);
    if (this.#compacting === undefined) this.#compactWith(this.#mergeSimilar());
  }

  async #writeFrozen(frozen: Memtable): Promise<void> {
    if (this.#runs.newestFirst.length >= runsMax) await this.#compacting;
    const { position } = frozen;
    if (frozen.rowCount > 0) {
      const by = await this.#runs.write({
        rows: frozen.openCursor(makePrefixRange(''), false),
        filterEntriesMax: frozen.rowCount * 2,
        keepDeletions: this.#runs.newestFirst.length > 0,
      });
      await this.#beforePublish?.();
      await this.#runs.replace({ old: [], by, position });
    } else if (position > this.#runs.position) {
      await this.#beforePublish?.();
      await this.#runs.replace({ old: [], by: undefined, position });
    }
    this.#frozen = undefined;
  }

  /** Merging affects only speed and space: a failure is reported by `stats` and nowhere else. */
  #compactWith(merging: Promise<void>): void {
    this.#compactionError = undefined;
    this.#compacting = merging
      .catch((error: unknown) => {
        this.#compactionError = error;
      })
      .finally(() => (this.#compacting = undefined));
  }

  async #mergeSimilar(): Promise<void> {
    for (;;) {
      this.#checkOpen();
      const runs = this.#runs.newestFirst;
      const choice = chooseMerge(runs.map(weigh));
      if (choice === undefined) return;
      await mergeRuns(this.#runs, runs.slice(choice.first, choice.end), this.#closing.signal);
    }
  }

  async #mergeAll(): Promise<void> {
    const runs = this.#runs.newestFirst;
    if (runs.length > 1) await mergeRuns(this.#runs, runs, this.#closing.signal);
  }
}

/** Searches the runs from `first` on. It turns asynchronous at the first block that is not in memory. */
function findInRuns(
  newestFirst: readonly Run[],
  probe: Probe,
  first = 0,
): RowValue | undefined | Promise<RowValue | undefined> {
  for (let i = first; i < newestFirst.length; i++) {
    const value = newestFirst[i]!.find(probe);
    if (value instanceof Promise) {
      return value.then((found) => (found === undefined ? findInRuns(newestFirst, probe, i + 1) : found));
    }
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A copy of a found value, which would otherwise keep its whole block in memory. */
const detach = (value: RowValue | undefined): StoredBytes => (value ? unpin(value) : undefined);

function checkOwner(owner: string): void {
  if (owner.length !== ownerBytes) {
    throw new RangeError(`An owner has exactly ${ownerBytes} bytes: ${owner.length}`);
  }
}

function checkBinary(text: string): void {
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 0xff) {
      throw new RangeError(`Owners and keys are binary strings: character ${i} is ${text.charCodeAt(i)}`);
    }
  }
}

function checkChange(change: TableChange): void {
  checkOwner(change.owner);
  checkBinary(change.owner);
  if ('drop' in change) return;
  const { key, value } = change;
  if (key.length > keyBytesMax) throw new RangeError(`A key has at most ${keyBytesMax} bytes: ${key.length}`);
  checkBinary(key);
  if (value !== null && value.length > valueBytesMax) {
    throw new RangeError(`A value has at most ${valueBytesMax} bytes: ${value.length}`);
  }
}

function checkPosition(position: number, least: number): void {
  if (!Number.isSafeInteger(position) || position < least) {
    throw new RangeError(
      `Positions are safe integers and ascend, the next is at least ${least}: ${position}`,
    );
  }
}
