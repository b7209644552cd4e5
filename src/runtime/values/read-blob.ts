/**
 * The bytes of a `Blob`, at once. A value is copied when it is stored or passed, and Node gives the bytes of a `Blob`
 * only later; but a `Blob` never changes and can be passed to another thread, which reads it while this one waits. The
 * thread starts with the first `Blob` that has bytes, and does not keep the process alive.
 */
import { extname } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { startThread } from '#base';
import { startOwn } from '#work';
import { type BlobQuestion, readingState } from './blob-question.ts';
import { dataCloneError, typeNotSerializable } from './errors.ts';

/**
 * The most that an RPC message may hold. Stored values are smaller, and their limit is checked with the rest of the
 * value.
 */
const blobBytesMax = 32 * 1024 * 1024;
/** Reached only if the thread ran out of memory: reading takes less than a second, also on a busy machine. */
const waitMsMax = 60_000;

// The getters of the platform: a class that extends `Blob` may have its own.
const sizeOf = Object.getOwnPropertyDescriptor(Blob.prototype, 'size')!.get!;
const typeOf = Object.getOwnPropertyDescriptor(Blob.prototype, 'type')!.get!;

let thread: Worker | undefined;

export function readBlob(blob: Blob): { readonly type: string; readonly bytes: Uint8Array } {
  let size: number;
  let type: string;
  try {
    size = sizeOf.call(blob) as number;
    type = typeOf.call(blob) as string;
  } catch {
    // An object that only inherits from the prototype.
    throw typeNotSerializable(blob);
  }
  return { type, bytes: size === 0 ? new Uint8Array() : readBytes(blob, size) };
}

function readBytes(blob: Blob, size: number): Uint8Array {
  if (size > blobBytesMax) {
    throw dataCloneError(
      `A Blob of ${size} bytes cannot be copied: ${blobBytesMax} bytes are the most. Pass its stream, or store it in parts.`,
    );
  }
  thread ??= startBlobThread();
  const state = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage({ blob, state, bytes } satisfies BlobQuestion);
  Atomics.wait(state, 0, readingState.waiting, waitMsMax);
  if (Atomics.load(state, 0) === readingState.read) return bytes;
  throw dataCloneError('The bytes of a Blob could not be read.');
}

function startBlobThread(): Worker {
  const module = new URL(`./blob-thread${extname(import.meta.filename)}`, import.meta.url);
  // A Worker's code may not start threads; `startOwn` marks this one as the program's.
  const started = startOwn(() => startThread(module, { name: 'blobs', execArgv: [], env: {} }));
  const forget = (): void => {
    if (thread === started) thread = undefined;
  };
  started.on('error', forget).on('exit', forget).unref();
  return started;
}
