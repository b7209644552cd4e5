/** A thread that syncs files which its process has open (`sync.ts`). */
import { fdatasyncSync, fsyncSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type SyncAnswer, type SyncQuestion, syncState } from './sync-messages.ts';

/** For an error without a number of its own: an input or output error. */
const unknownErrno = -5;

parentPort!.on('message', ({ kind, descriptor, id, state }: SyncQuestion) => {
  let errno = 0;
  try {
    if (kind === 'fsync') fsyncSync(descriptor);
    else fdatasyncSync(descriptor);
  } catch (error) {
    errno = (error as NodeJS.ErrnoException).errno ?? unknownErrno;
  }
  if (state === undefined) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort!.postMessage({ id, errno } satisfies SyncAnswer);
    return;
  }
  Atomics.store(state, syncState.errno, errno);
  Atomics.store(state, syncState.isDone, 1);
  Atomics.notify(state, syncState.isDone);
});
