/**
 * Keeps one kind of work running in a process: a process that ends without a request is replaced. One that served for a
 * while is replaced at once; one that fails at its start, or soon after, after a delay that doubles. Each end is logged
 * with its reason and what happens next.
 */
import { BackOff, type Log } from '#base';
import { ChildEndedError, type ChildProcess } from './child-process.ts';
import { describeEnd, type EndReason } from './end-reason.ts';
import { restartMsMax, restartMsMin, steadyMs } from './limits.ts';

export interface SupervisedProcessOptions {
  readonly log: Log;
  /**
   * Whether the work is given up if its first process does not start; otherwise it is retried. `unless killed`: it is
   * also retried if the process was killed from outside, since it may have served already before it reported so.
   */
  readonly isFirstNeeded?: boolean | 'unless killed';
  /** A process that already does the work, which this one has adopted. */
  readonly adopted?: ChildProcess | undefined;
  /** Starts a process. */
  start(): ChildProcess;
  /** Called when a process is ready, with its value. */
  onReady?(child: ChildProcess, value: unknown): void;
  /** Called for each process that has ended, whether requested or not. */
  onEnd?(child: ChildProcess, reason: EndReason): void;
}

export type SupervisedState =
  | { readonly state: 'starting' | 'running'; readonly child: ChildProcess }
  | { readonly state: 'waiting'; readonly reason: EndReason; readonly retryMs: number }
  | { readonly state: 'stopped' };

export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #backOff = new BackOff({ msMin: restartMsMin, msMax: restartMsMax });
  readonly #firstReady = Promise.withResolvers<unknown>();
  #state: SupervisedState;
  #timer: NodeJS.Timeout | undefined;
  #wasReady = false;
  #isStopping = false;
  /** Replaced processes that are finishing their work. */
  readonly #leaving = new Set<ChildProcess>();

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
    this.#firstReady.promise.catch(() => {});
    this.#state = { state: 'stopped' };
    this.#start(options.adopted);
  }

  get state(): SupervisedState {
    return this.#state;
  }

  /** The current process, if there is one. */
  get child(): ChildProcess | undefined {
    return 'child' in this.#state ? this.#state.child : undefined;
  }

  /** Resolves with the first process that is ready; rejects if the first one ends before and is not retried. */
  get firstReady(): Promise<unknown> {
    return this.#firstReady.promise;
  }

  /**
   * Starts a successor, and asks the current process to stop once the successor is ready: for work that two processes
   * can do at the same time. If the successor does not start, the current process stays. Resolves when that is decided.
   */
  async replace({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const before = this.child;
    if (this.#isStopping || before === undefined) return;
    const successor = this.#options.start();
    try {
      const value = await successor.ready;
      if (this.#isStopping) return void (await this.#leave(successor, graceMs));
      this.#state = { state: 'running', child: successor };
      this.#follow(successor);
      this.#options.onReady?.(successor, value);
      void this.#leave(before, graceMs);
    } catch (error) {
      this.#options.log.error('could not replace a process; keeping the current one', {
        process: before.name,
        error,
      });
    }
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    const children = [...this.#leaving, ...(this.child === undefined ? [] : [this.child])];
    this.#firstReady.reject(new Error('the process was stopped'));
    await Promise.all(children.map((child) => child.stop({ graceMs })));
    this.#state = { state: 'stopped' };
  }

  async #leave(child: ChildProcess, graceMs: number): Promise<void> {
    this.#leaving.add(child);
    await child.stop({ graceMs });
    this.#leaving.delete(child);
  }

  #start(child = this.#options.start()): void {
    this.#state = { state: 'starting', child };
    this.#follow(child);
    void this.#awaitReady(child);
  }

  async #awaitReady(child: ChildProcess): Promise<void> {
    try {
      const value = await child.ready;
      this.#wasReady = true;
      if (this.child === child) this.#state = { state: 'running', child };
      this.#firstReady.resolve(value);
      this.#options.onReady?.(child, value);
    } catch (error) {
      if (!(error instanceof ChildEndedError) || !this.#isExcused(error.reason))
        this.#firstReady.reject(error);
    }
  }

  #isExcused(reason: EndReason): boolean {
    const isKilled = reason.kind === 'signal' && reason.signal === 'SIGKILL';
    return this.#options.isFirstNeeded === 'unless killed' && isKilled;
  }

  #follow(child: ChildProcess): void {
    let readyMs = Infinity;
    child.ready.then(
      () => (readyMs = performance.now()),
      () => {},
    );
    void child.ended.then((reason) => {
      const isCurrent = this.child === child;
      this.#options.onEnd?.(child, reason);
      if (!isCurrent || this.#isStopping) return;
      const isNeeded = (this.#options.isFirstNeeded ?? false) !== false;
      if (isNeeded && !this.#wasReady && !this.#isExcused(reason)) {
        this.#state = { state: 'stopped' };
        return;
      }
      if (performance.now() - readyMs >= steadyMs) this.#backOff.reset();
      const retryMs = this.#backOff.next();
      this.#state = { state: 'waiting', reason, retryMs };
      this.#options.log.error('a process has ended; restarting it', {
        process: child.name,
        pid: child.pid,
        reason: describeEnd(reason),
        ...('work' in reason ? reason.work : {}),
        retryMs,
      });
      this.#timer = setTimeout(() => this.#start(), retryMs);
    });
  }
}
