/**
 * A Worker whose versions are uploaded over the API. They are stored elsewhere, with sealed secrets: here a version is
 * only in memory, and is passed to each process that runs it. `ServedWorker` lists the promises about changing
 * versions.
 */
import type { Metric } from '#metrics';
import { ChildEndedError } from '#processes';
import type { UploadedScript, WorkerExports } from '#workers';
import type { QueueBatch, QueueOutcome } from './worker-messages.ts';
import {
  type Candidate,
  DeployError,
  describeFailure,
  ServedWorker,
  type ServedWorkerOptions,
} from './served-worker.ts';

interface UploadedVersion {
  readonly number: number;
  readonly script: UploadedScript;
}

/** A version whose code has been loaded, in a process that waits. */
export interface LoadedVersion {
  readonly exports: WorkerExports;
  /** How long its modules took to load, including the start of their process. */
  readonly loadMs: number;
  /** Whether its process ended while it waited. */
  readonly hasEnded: boolean;
  /** Switches to it; rejects with a `DeployError` if the previous version continues. */
  switch(): Promise<void>;
  /** Terminates its process, if it was not switched to. */
  discard(): Promise<void>;
}

/** Code that does not load: for the client that uploaded it. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  /** Whether it was terminated because it took too long. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super(describeFailure(cause), { cause });
    this.isLate = cause instanceof ChildEndedError && cause.reason.kind === 'stuck';
  }
}

export class UploadedWorker {
  readonly #served: ServedWorker<UploadedVersion>;

  constructor(options: ServedWorkerOptions) {
    this.#served = new ServedWorker(options, ({ script }) => ({
      folder: options.directory,
      code: { kind: 'uploaded', script },
      cluster: options.findCluster?.(script.version.id),
    }));
  }

  get isRunning(): boolean {
    return this.#served.isRunning;
  }

  /** Starts a version that ran before; it is restarted whenever it fails. */
  start(version: UploadedVersion): Promise<void> {
    return this.#served.start(version);
  }

  async load(version: UploadedVersion): Promise<LoadedVersion> {
    const startMs = performance.now();
    const candidate = await this.#served.load(version).catch((error: unknown) => {
      this.#served.count('refused');
      throw new LoadError(error);
    });
    let isTaken = false;
    let hasEnded = false;
    void candidate.child.ended.then(() => (hasEnded = true));
    return {
      exports: candidate.loaded.exports,
      loadMs: performance.now() - startMs,
      get hasEnded() {
        return hasEnded;
      },
      switch: async () => {
        isTaken = true;
        await this.#switch(candidate);
      },
      discard: async () => {
        if (!isTaken) await candidate.child.stop({ graceMs: 0 });
      },
    };
  }

  /** Stops the running version until one is started. */
  pause(): Promise<void> {
    return this.#served.pause();
  }

  /** Calls `queue()`; undefined if no version is running. */
  deliver(batch: QueueBatch): Promise<QueueOutcome | undefined> {
    return this.#served.deliver(batch);
  }

  async follow(isFollowed: boolean): Promise<void> {
    await this.#served.send({ kind: 'follow', isFollowed });
  }

  async setCrons(crons: readonly string[]): Promise<void> {
    await this.#served.send({ kind: 'crons', crons });
  }

  retireSockets({ graceMs }: { readonly graceMs: number }): Promise<void> {
    return this.#served.send({ kind: 'retire sockets', graceMs });
  }

  readMetrics(): Promise<readonly Metric[]> {
    return this.#served.readMetrics();
  }

  stop(options: { readonly graceMs: number }): Promise<void> {
    return this.#served.stop(options);
  }

  async #switch(candidate: Candidate<UploadedVersion>): Promise<void> {
    if (this.#served.current !== undefined) return await this.#served.switchTo(candidate, { onFailed() {} });
    try {
      await this.#served.start(candidate.version, candidate.child);
      this.#served.count('done');
    } catch (error) {
      this.#served.count('refused');
      throw new DeployError(`it does not start: ${describeFailure(error)}`, { cause: error });
    }
  }
}
