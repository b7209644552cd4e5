/**
 * Syncs files to disk. Node's permission model refuses that to a process that it confines, for any file; it does not
 * apply to threads, so there a thread syncs the files that the process has open.
 */
import { fdatasync as fdatasyncFile, fsync as fsyncFile, fsyncSync as fsyncFileSync } from 'node:fs';
import { extname } from 'node:path';
import { getSystemErrorName, promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#base';
import { startOwn } from '#work';
import { type SyncAnswer, type SyncKind, type SyncQuestion, syncState } from './sync-messages.ts';

const fdatasyncHere = promisify(fdatasyncFile);
const fsyncHere = promisify(fsyncFile);

export function fdatasync(descriptor: number): Promise<void> {
  return isConfined() ? getThread().sync('fdatasync', descriptor) : fdatasyncHere(descriptor);
}

export function fsync(descriptor: number): Promise<void> {
  return isConfined() ? getThread().sync('fsync', descriptor) : fsyncHere(descriptor);
}

export function fsyncSync(descriptor: number): void {
  if (isConfined()) getThread().syncSync('fsync', descriptor);
  else fsyncFileSync(descriptor);
}

function isConfined(): boolean {
  return process.permission !== undefined;
}

let thread: SyncThread | undefined;

function getThread(): SyncThread {
  return (thread ??= new SyncThread());
}

class SyncThread {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, (errno: number) => void>();
  #lastId = 0;

  constructor() {
    const module = new URL(`./sync-thread${extname(import.meta.filename)}`, import.meta.url);
    const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };
    this.#thread = startOwn(() =>
      startThread(module, { name: 'syncs', execArgv: [], env: {}, resourceLimits }),
    );
    // Without the thread nothing can be stored: the process is replaced.
    this.#thread.on('error', (error) => {
      throw error;
    });
    this.#thread.on('message', ({ id, errno }: SyncAnswer) => {
      this.#waiting.get(id)?.(errno);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#thread.unref();
    });
    this.#thread.unref();
  }

  async sync(kind: SyncKind, descriptor: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<number>();
    const id = ++this.#lastId;
    this.#waiting.set(id, resolve);
    this.#thread.ref();
    this.#ask({ kind, descriptor, id });
    throwIfFailed(kind, await promise);
  }

  syncSync(kind: SyncKind, descriptor: number): void {
    const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    this.#ask({ kind, descriptor, state });
    Atomics.wait(state, syncState.isDone, 0);
    throwIfFailed(kind, Atomics.load(state, syncState.errno));
  }

  #ask(question: SyncQuestion): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#thread.postMessage(question);
  }
}

/** Throws the error as Node does. */
function throwIfFailed(syscall: SyncKind, errno: number): void {
  if (errno === 0) return;
  const code = getSystemErrorName(errno);
  throw Object.assign(new Error(`${code}: the system refused it, ${syscall}`), { code, errno, syscall });
}
