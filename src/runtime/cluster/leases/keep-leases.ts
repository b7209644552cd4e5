/**
 * Keeps the leases of this process, in all clusters and databases that it has joined: a thread renews them while the
 * main thread computes, and a child process releases them when this process dies. Both start with the first lease and
 * end after the last.
 *
 * - The thread is part of this process: a process that is stopped, or whose machine is stopped, renews nothing.
 * - The child process renews nothing either. Without it, objects wait until the leases expire.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Worker } from 'node:worker_threads';
import { BackOff, listProgramArguments, startThread, withoutSettings } from '#base';
import { startOwn } from '#work';
import { systemLeaseClock } from '../lease-clock.ts';
import { helperMsMax, helperMsMin, turnMs } from '../limits.ts';
import type { KeptLease, LeaseKeeper } from './lease-keeper.ts';
import {
  type FromThread,
  type LeaseToKeep,
  sharedTime,
  type RenewalThreadData,
  type ToReleaser,
  type ToThread,
} from './messages.ts';

export interface KeeperOptions extends Omit<LeaseToKeep, 'id'> {
  /** The thread that runs the objects has been blocked for so long that the lease is given up. */
  readonly onStuck: (busyMs: number) => void;
}

/** Creates the keeper of this host's leases in one database. */
export function createLeaseKeeper({ onStuck, ...options }: KeeperOptions): LeaseKeeper {
  return { keep: (id) => keep({ ...options, id }, onStuck) };
}

interface HeldLease {
  readonly lease: LeaseToKeep;
  /** One time: the end of the lease. */
  readonly deadline: SharedArrayBuffer;
  readonly onStuck: (busyMs: number) => void;
}

const held = new Map<string, HeldLease>();
let helpers: Helpers | undefined;

function keep(lease: LeaseToKeep, onStuck: (busyMs: number) => void): KeptLease {
  const deadline = new SharedArrayBuffer(8);
  const deadlines = new BigInt64Array(deadline);
  sharedTime.write(deadlines, 0, Number.NEGATIVE_INFINITY);
  helpers ??= new Helpers();
  const each = { lease, deadline, onStuck };
  held.set(lease.id, each);
  helpers.keep(each);
  return {
    get deadline() {
      return sharedTime.read(deadlines, 0);
    },
    end() {
      if (!held.delete(lease.id)) return;
      helpers!.end(lease.id);
      if (held.size > 0) return;
      helpers!.close();
      helpers = undefined;
    },
  };
}

class Helpers {
  readonly #turned = new BigInt64Array(new SharedArrayBuffer(8));
  readonly #turning: NodeJS.Timeout;
  readonly #backOff = new BackOff({ msMin: helperMsMin, msMax: helperMsMax });
  #thread: Worker;
  #releaser: ChildProcess;
  #isClosed = false;

  constructor() {
    const turn = (): void => sharedTime.write(this.#turned, 0, systemLeaseClock.now());
    turn();
    this.#turning = setInterval(turn, turnMs).unref();
    this.#thread = this.#startThread();
    this.#releaser = this.#startReleaser();
  }

  keep({ lease, deadline }: HeldLease): void {
    this.#postToThread({ kind: 'keep', lease, deadline });
    this.#postToReleaser({ kind: 'keep', lease });
  }

  end(id: string): void {
    this.#postToThread({ kind: 'end', id });
    this.#postToReleaser({ kind: 'end', id });
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#turning);
    void this.#thread.terminate();
    this.#releaser.stdin!.end();
  }

  #postToThread(message: ToThread): void {
    this.#thread.postMessage(message, []);
  }

  #postToReleaser(message: ToReleaser): void {
    this.#releaser.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #startThread(): Worker {
    const workerData: RenewalThreadData = {
      clockBaseMs: systemLeaseClock.baseMs,
      turned: this.#turned.buffer,
    };
    const thread = startOwn(() =>
      startThread(moduleBeside('renewal-thread'), {
        workerData,
        resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
        execArgv: [],
      }),
    );
    thread.unref();
    thread.on('message', ({ id, busyMs }: FromThread) => held.get(id)?.onStuck(busyMs));
    // `exit` also reports the cause. Until another runs, the thread of the objects renews alone.
    thread.on('error', () => {});
    thread.on('exit', () =>
      this.#later(() => {
        this.#thread = this.#startThread();
        for (const { lease, deadline } of held.values())
          this.#postToThread({ kind: 'keep', lease, deadline });
      }),
    );
    return thread;
  }

  /** Secrets go through the pipe: other processes can see arguments and environment. */
  #startReleaser(): ChildProcess {
    const { NODE_OPTIONS: _, ...env } = withoutSettings(process.env);
    const releaser = startOwn(() =>
      spawn(
        process.execPath,
        listProgramArguments(
          ['--max-old-space-size=32', '--max-semi-space-size=1'],
          moduleBeside('releasing-process'),
        ),
        // In a process group of its own: a signal to all processes of the other group must not end it.
        { stdio: ['pipe', 'ignore', 'ignore'], detached: true, env },
      ),
    );
    releaser.unref();
    // If no descriptor was free, it has no pipes.
    const stdin = releaser.stdin as Socket | undefined;
    stdin?.unref();
    stdin?.on('error', () => {});
    // `close` is also emitted if it could not be started.
    releaser.on('error', () => {});
    releaser.on('close', () =>
      this.#later(() => {
        this.#releaser = this.#startReleaser();
        for (const { lease } of held.values()) this.#postToReleaser({ kind: 'keep', lease });
      }),
    );
    return releaser;
  }

  #later(start: () => void): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => this.#isClosed || start(), this.#backOff.next());
    timer.unref();
  }
}

function moduleBeside(name: string): URL {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, import.meta.url);
}
