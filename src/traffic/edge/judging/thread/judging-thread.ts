/**
 * Judges slow requests in a separate thread, so that the thread with the connections keeps serving others:
 *
 * - One request is judged at a time. Each waiting zone has one request judged before any has a second.
 * - Judging gives up by steps and by CPU time. If it does not notice in time, only the thread is killed: its current
 *   request counts as one that used up its budget, and the next thread judges the others.
 * - The thread starts with the first request that needs it, and stops after some idle time.
 *
 * A verdict does not depend on where a request is judged, except for the limit of CPU time.
 */
import type { Worker } from 'node:worker_threads';
import { realClock, startThread, type Timer } from '#base';
import { readWorkNotes, type WorkNotes } from '#work';
import type { CoreRules } from '#seclang';
import type { CompiledZone } from '#firewall';
import { getJudgingCpuMs } from '#rulesets';
import { countBodyBytes } from '../judge-readings.ts';
import { idleMsMax, stuckBudgets, threadLookMs, threadZonesMax } from '../limits.ts';
import type {
  FromThread,
  JudgingThreadData,
  ThreadRequest,
  ThreadRuling,
  ToThread,
} from './thread-messages.ts';

export interface JudgingThreadOptions {
  readonly coreRules?: CoreRules | undefined;
  /** Called for each thread that failed, or that was killed because it hung. */
  readonly onEnd?: ((end: ThreadEnd) => void) | undefined;
  /** The code of the thread. */
  readonly module?: URL;
}

export interface ThreadEnd {
  readonly reason: string;
  /** The zone and rule that it was judging. */
  readonly zone?: string | undefined;
  readonly rule?: string | undefined;
}

/** The request was not fully judged. Its zone decides what happens to it. */
export class ThreadEndedError extends Error {
  override readonly name = 'ThreadEndedError';
  readonly end: ThreadEnd;

  constructor(end: ThreadEnd) {
    super(`judging was ended: ${end.reason}`);
    this.end = end;
  }
}

interface JudgingJob {
  readonly id: number;
  readonly zone: CompiledZone;
  readonly request: ThreadRequest;
  readonly done: PromiseWithResolvers<ThreadRuling>;
}

interface SentZone {
  readonly id: number;
  state: 'compiling' | 'compiled' | { readonly problem: string };
}

/** A running thread and its state. */
interface Started {
  readonly worker: Worker;
  readonly words: Int32Array;
  readonly zones: Map<CompiledZone, SentZone>;
  notes: WorkNotes | undefined;
}

export class JudgingThread {
  readonly #options: JudgingThreadOptions;
  /** By zone id; the zone whose turn it is comes first, and no queue is empty. */
  readonly #waiting = new Map<string, JudgingJob[]>();
  #started: Started | undefined;
  #running: JudgingJob | undefined;
  #lastId = 0;
  #isClosed = false;
  #idle: Timer | undefined;
  #watch: Timer | undefined;
  #watched: { readonly job: number; readonly cpuMs: number } | undefined;

  constructor(options: JudgingThreadOptions = {}) {
    this.#options = options;
  }

  /** Rejects with a `ThreadEndedError` if the thread had to be killed. */
  judge(zone: CompiledZone, request: ThreadRequest): Promise<ThreadRuling> {
    const done = Promise.withResolvers<ThreadRuling>();
    const job = { id: ++this.#lastId, zone, request, done };
    const { id } = zone.configuration.zone;
    const queue = this.#waiting.get(id);
    if (queue === undefined) this.#waiting.set(id, [job]);
    else queue.push(job);
    this.#judgeNext();
    return done.promise;
  }

  /** Waiting requests are judged first. */
  close(): void {
    this.#isClosed = true;
    if (this.#running === undefined && this.#waiting.size === 0) this.#end();
  }

  #judgeNext(): void {
    this.#idle?.cancel();
    if (this.#running !== undefined) return;
    if (this.#waiting.size === 0) return this.#rest();
    const started = (this.#started ??= this.#start());
    for (const [zoneId, [first, ...others]] of this.#waiting) {
      const { id: zone, state } = this.#sendZone(started, first!.zone);
      if (state === 'compiling') continue;
      this.#waiting.delete(zoneId);
      if (others.length > 0) this.#waiting.set(zoneId, others);
      if (typeof state === 'object') {
        first!.done.reject(new Error(`cannot compile the rules of zone ${zoneId}: ${state.problem}`));
        continue;
      }
      this.#running = first;
      this.#watch ??= this.#lookLater();
      return this.#send(started, { kind: 'judge', job: first!.id, zone, request: first!.request });
    }
  }

  #rest(): void {
    this.#watch?.cancel();
    this.#watch = undefined;
    if (this.#isClosed) this.#end();
    else this.#idle = setTimer(idleMsMax, () => this.#end());
  }

  /** The thread compiles the rules of a zone when a request first needs them. */
  #sendZone(started: Started, zone: CompiledZone): SentZone {
    const { zones } = started;
    const known = zones.get(zone);
    if (known !== undefined) {
      zones.delete(zone);
      zones.set(zone, known);
      return known;
    }
    const sent: SentZone = { id: ++this.#lastId, state: 'compiling' };
    zones.set(zone, sent);
    this.#send(started, { kind: 'zone', zone: sent.id, configuration: zone.configuration });
    for (const [oldest, { id, state }] of zones) {
      if (zones.size <= threadZonesMax || state === 'compiling') break;
      zones.delete(oldest);
      this.#send(started, { kind: 'forget', zone: id });
    }
    return sent;
  }

  #start(): Started {
    const words = new SharedArrayBuffer(4);
    const workerData: JudgingThreadData = { coreRules: this.#options.coreRules, words };
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const { module = new URL(`./thread-main.${extension}`, import.meta.url) } = this.#options;
    const worker = startThread(module, { workerData, name: 'judging' });
    const started: Started = {
      worker,
      words: new Int32Array(words),
      zones: new Map(),
      notes: undefined,
    };
    worker.on('message', (message: FromThread) => this.#take(started, message));
    worker.on('error', (error) => this.#lose(started, String(error)));
    worker.on('exit', (code) => this.#lose(started, `its thread exited with code ${code}`));
    // A request that waits for a verdict has a connection, which keeps the process alive.
    worker.unref();
    return started;
  }

  #take(started: Started, message: FromThread): void {
    if (started !== this.#started) return;
    if (message.kind === 'started') started.notes = message.notes;
    else if (message.kind === 'compiled') {
      const { zone, problem } = message;
      const sent = started.zones.values().find(({ id }) => id === zone);
      if (sent !== undefined) sent.state = problem === undefined ? 'compiled' : { problem };
    } else {
      const job = this.#running!;
      this.#running = undefined;
      if (message.kind === 'judged') job.done.resolve(message.ruling);
      else job.done.reject(new Error(message.problem));
    }
    this.#judgeNext();
  }

  #lookLater(): Timer {
    return setTimer(threadLookMs, () => {
      this.#watch = this.#lookLater();
      void this.#look();
    });
  }

  /**
   * Kills a thread that uses much more CPU time for a request than its budget: it does something that is not counted as
   * steps.
   */
  async #look(): Promise<void> {
    const started = this.#started;
    const job = started === undefined ? 0 : Atomics.load(started.words, 0);
    if (started === undefined || job === 0) return;
    const { user, system } = await started.worker.cpuUsage();
    const cpuMs = (user + system) / 1_000;
    if (this.#watched?.job !== job) {
      this.#watched = { job, cpuMs };
      return;
    }
    const bodyBytes = this.#running === undefined ? 0 : countBodyBytes(this.#running.request);
    const cpuMsMax = Math.ceil(stuckBudgets * getJudgingCpuMs(bodyBytes));
    if (cpuMs - this.#watched.cpuMs > cpuMsMax)
      this.#lose(started, `judging did not finish within ${cpuMsMax} ms of CPU time`);
  }

  /** The current request is given up; the others wait for the next thread. */
  #lose(started: Started, reason: string): void {
    if (started !== this.#started) return;
    const { zone, rule } = started.notes === undefined ? {} : readWorkNotes(started.notes);
    const end: ThreadEnd = { reason, zone, rule };
    const job = this.#running;
    this.#running = undefined;
    this.#end();
    this.#options.onEnd?.(end);
    job?.done.reject(new ThreadEndedError(end));
    this.#judgeNext();
  }

  #end(): void {
    this.#idle?.cancel();
    this.#watch?.cancel();
    this.#watch = undefined;
    const started = this.#started;
    this.#started = undefined;
    void started?.worker.terminate();
  }

  #send({ worker }: Started, message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  }
}

function setTimer(ms: number, callback: () => void): Timer {
  return realClock.setTimer(realClock.now() + ms, callback, 'housekeeping');
}
