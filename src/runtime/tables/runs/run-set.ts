/**
 * The runs that make up the store on disk, newest first, and the manifest that lists them.
 *
 * - A set of runs is changed by replacing the manifest, one change at a time: after a crash either the old set exists
 *   or the new one, with every file of it.
 * - A change that fails leaves the set in memory as it was. If it fails once the rename may have happened, the
 *   manifest on disk may be the old or the new one; so the files of both are kept until an opening settles it.
 * - Files that are no longer needed are removed once the manifest without them is durable.
 */
import { join } from 'node:path';
import { assert } from '#base';
import { type FileSystem, makeDirectory } from '#files';
import { BlockCache } from './block-cache.ts';
import { TablesDamageError } from '../damage-error.ts';
import { type Manifest, decodeManifest, encodeManifest, manifestFileName } from './manifest.ts';
import { type RunSource, writeRun } from './run-writer.ts';
import { Run, formatRunName } from './run.ts';

interface RunSetOptions {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly durable: boolean;
  readonly cacheBytesMax: number;
}

interface RunReplacement {
  /** The adjacent runs that are removed. */
  readonly old: readonly Run[];
  /** The run that replaces them, or the newest run if nothing is removed. */
  readonly by: Run | undefined;
  readonly position: number;
}

export class RunSet {
  readonly #options: RunSetOptions;
  readonly cache: BlockCache;
  #newestFirst: readonly Run[] = [];
  #position = 0;
  #numberNext = 1;
  #lastChange: Promise<unknown> = Promise.resolve();
  readonly #removals = new Set<Promise<void>>();

  private constructor(options: RunSetOptions) {
    this.#options = options;
    this.cache = new BlockCache(options.cacheBytesMax);
  }

  static open(options: RunSetOptions): RunSet {
    const set = new RunSet(options);
    const { fs, directory, durable } = options;
    if (durable) makeDirectory(directory, fs);
    else fs.mkdirSync(directory);
    const names = fs.readdirSync(directory);
    const remove = (name: string): void => fs.unlinkSync(join(directory, name));
    names.filter((name) => name.endsWith('.tmp')).forEach(remove);
    const runNames = names.filter((name) => name.endsWith('.run'));
    if (names.includes(manifestFileName)) set.#load();
    else set.#create(runNames);
    const known = new Set(set.#newestFirst.map((run) => formatRunName(run.description.number)));
    runNames.filter((name) => !known.has(name)).forEach(remove);
    return set;
  }

  get newestFirst(): readonly Run[] {
    return this.#newestFirst;
  }

  get position(): number {
    return this.#position;
  }

  /** The bytes of the manifest for the current set. */
  get manifest(): Uint8Array {
    const newestFirst = this.#newestFirst.map((run) => run.description);
    return encodeManifest({ position: this.#position, newestFirst });
  }

  get manifestPath(): string {
    return join(this.#options.directory, manifestFileName);
  }

  /** Writes a run that is not yet part of the set. */
  write(source: RunSource): Promise<Run | undefined> {
    return writeRun({ ...this.#options, cache: this.cache, number: this.#numberNext++ }, source);
  }

  /** Makes a change durable and visible. If it rejects, the set is as before and `by` is removed. */
  replace(replacement: RunReplacement): Promise<void> {
    const change = this.#lastChange.then(() => this.#replace(replacement));
    this.#lastChange = change.catch(() => undefined);
    return change;
  }

  /** Closes the files. Readers that still hold runs can finish. */
  async close(): Promise<void> {
    await this.#lastChange;
    for (const run of this.#newestFirst) run.release();
    this.#newestFirst = [];
    await Promise.all(this.#removals);
  }

  #load(): void {
    const { fs, directory } = this.#options;
    const file = fs.openSync(this.manifestPath, 'read');
    const bytes = Buffer.alloc(file.sizeSync());
    const count = file.readSync(bytes, 0);
    file.closeSync();
    const manifest = decodeManifest(bytes.subarray(0, count), this.manifestPath);
    const runs: Run[] = [];
    try {
      for (const description of manifest.newestFirst) {
        const path = join(directory, formatRunName(description.number));
        runs.push(Run.open(fs, path, description, this.cache));
        this.#numberNext = Math.max(this.#numberNext, description.number + 1);
      }
    } catch (error) {
      for (const run of runs) run.release();
      throw error;
    }
    this.#newestFirst = runs;
    this.#position = manifest.position;
  }

  #create(runNames: readonly string[]): void {
    const { fs, directory, durable } = this.#options;
    if (runNames.length > 0) {
      throw new TablesDamageError(this.manifestPath, 0, 'there are run files, but the manifest is missing');
    }
    const temporaryPath = `${this.manifestPath}.tmp`;
    const file = fs.openSync(temporaryPath, 'create');
    try {
      file.writeSync(encodeManifest({ position: 0, newestFirst: [] }), 0);
      if (durable) file.fsyncSync();
      fs.renameSync(temporaryPath, this.manifestPath);
    } catch (error) {
      fs.unlinkSync(temporaryPath);
      throw error;
    } finally {
      file.closeSync();
    }
    if (durable) fs.fsyncDirectorySync(directory);
  }

  async #replace({ old, by, position }: RunReplacement): Promise<void> {
    const at = old.length === 0 ? 0 : this.#newestFirst.indexOf(old[0]!);
    assert(at >= 0 && old.every((run, i) => this.#newestFirst[at + i] === run), 'replaced runs are adjacent');
    const runs = this.#newestFirst.toSpliced(at, old.length, ...(by === undefined ? [] : [by]));
    const reached = Math.max(position, this.#position);
    const newestFirst = runs.map((run) => run.description);
    await this.#writeManifest({ position: reached, newestFirst }, by);
    this.#newestFirst = runs;
    this.#position = reached;
    for (const run of old) this.#retire(run);
  }

  async #writeManifest(manifest: Manifest, added: Run | undefined): Promise<void> {
    const { fs, directory, durable } = this.#options;
    const temporaryPath = `${this.manifestPath}.tmp`;
    try {
      const file = await fs.open(temporaryPath, 'create');
      try {
        await file.write(encodeManifest(manifest), 0);
        if (durable) await file.fdatasync();
      } finally {
        file.closeSync();
      }
    } catch (error) {
      await fs.unlink(temporaryPath).catch(() => undefined);
      if (added !== undefined) this.#retire(added);
      await Promise.all(this.#removals);
      throw error;
    }
    try {
      await fs.rename(temporaryPath, this.manifestPath);
      if (durable) await fs.fsyncDirectory(directory);
    } catch (error) {
      added?.release();
      await fs.unlink(temporaryPath).catch(() => undefined);
      throw error;
    }
  }

  #retire(run: Run): void {
    run.retire(() => {
      // A file that cannot be removed now is removed at the next opening.
      const removal = this.#options.fs.unlink(run.path).catch(() => undefined);
      this.#removals.add(removal);
      void removal.then(() => this.#removals.delete(removal));
    });
  }
}
