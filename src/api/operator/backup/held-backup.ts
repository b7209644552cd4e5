/**
 * The files of a backup, held while it is copied. First everything that the copy may need is held: the files of the
 * objects, and those of the data directories inside this one. Then the moment is chosen, and each log is listed up to
 * it: if a record was written after another was acknowledged, the copy never has it without the other, whichever logs
 * they are in. Other parts of the directory are copied in their state after the moment.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { type Clock, realClock } from '#base';
import { keepFiles } from '#files';
import type { BackupPart, HeldDirectory, HeldFiles, ListedDirectory, ObjectRuntime } from '#objects';
import { type AnswerBackup, findInnerDirectories, HeldInnerDirectory } from './inner-directories.ts';
import { measureOtherFiles, type OtherFilesOptions } from './other-files.ts';

export interface BackupSource {
  readonly directory: string;
  readonly runtime: ObjectRuntime;
  readonly parts?: readonly BackupPart[];
  /** The clock of the objects. */
  readonly clock?: Clock;
}

/** The state at one moment. */
export interface ListedBackup {
  readonly time: number;
  readonly objects: ListedDirectory;
  readonly parts: readonly HeldFiles[];
  readonly inner: readonly HeldInnerDirectory[];
  readonly others: OtherFilesOptions;
}

/** Longer than one tick of the clock. */
const tickMs = 2;

export class HeldBackup implements AsyncDisposable {
  readonly #source: BackupSource;
  readonly #objects: HeldDirectory;
  readonly #resources: AsyncDisposableStack;
  readonly #answer: AnswerBackup;
  readonly #inner = new Map<string, HeldInnerDirectory>();
  #plain: readonly string[] = [];

  private constructor(
    source: BackupSource,
    {
      objects,
      resources,
      answer,
    }: {
      readonly objects: HeldDirectory;
      readonly resources: AsyncDisposableStack;
      readonly answer: AnswerBackup;
    },
  ) {
    this.#source = source;
    this.#answer = answer;
    this.#objects = objects;
    this.#resources = resources;
  }

  static async hold(source: BackupSource, answer: AnswerBackup): Promise<HeldBackup> {
    await using resources = new AsyncDisposableStack();
    resources.use(keepFiles());
    const objects = resources.use(await source.runtime.holdForBackup());
    const backup = new HeldBackup(source, { objects, resources: resources.move(), answer });
    try {
      await backup.#holdInner();
    } catch (error) {
      await backup[Symbol.asyncDispose]();
      throw error;
    }
    return backup;
  }

  /** An estimate of the bytes to copy, for progress. */
  get bytes(): number {
    const inner = [...this.#inner.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#objects.bytes + inner + measureOtherFiles(this.#others);
  }

  /** `time` is the moment of the surrounding backup, if there is one. */
  async list(time: number | undefined): Promise<ListedBackup> {
    const moment = time ?? (await this.#chooseMoment());
    const objects = await this.#objects.list(moment);
    const parts: HeldFiles[] = [];
    for (const part of this.#source.parts ?? []) parts.push(this.#resources.use(await part.hold()));
    return {
      time: moment ?? (this.#source.clock ?? realClock).now(),
      objects,
      parts,
      inner: [...this.#inner.values()],
      others: this.#others,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  /** Undefined if the clock does not advance by itself: then there is no other log that could differ. */
  async #chooseMoment(): Promise<number | undefined> {
    const { clock = realClock } = this.#source;
    if (clock.virtual) return undefined;
    for (;;) {
      const time = clock.now();
      await delay(tickMs);
      // Writes from here on are later than the moment, including those that depend on a Worker that was created before
      // it.
      if (!(await this.#holdInner())) return clock.now() > time ? time : undefined;
    }
  }

  /** Returns whether there are further directories. */
  async #holdInner(): Promise<boolean> {
    const { withObjects, plain } = findInnerDirectories(this.#source.directory);
    this.#plain = plain;
    const added = withObjects.filter((path) => !this.#inner.has(path));
    const held = await Promise.allSettled(
      added.map((path) => HeldInnerDirectory.hold(this.#source.directory, path, this.#answer)),
    );
    for (const each of held)
      if (each.status === 'fulfilled') this.#inner.set(each.value.path, this.#resources.use(each.value));
    const failed = held.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
    return added.length > 0;
  }

  get #others(): OtherFilesOptions {
    const { directory, parts = [] } = this.#source;
    const claimed = new Set([...this.#objects.names, ...parts.flatMap(({ names }) => names)]);
    return { directory, claimed, plain: this.#plain };
  }
}
