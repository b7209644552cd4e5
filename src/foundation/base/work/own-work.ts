/**
 * Tells the program's own processes, threads and connections through the file system from those that code of users
 * starts, which are refused in the process of a Worker.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

let isOwn = false;
const ownWork = new AsyncLocalStorage<true>();

/** Runs what starts one of the program's own. It counts until the function returns. */
export function startOwn<Result>(start: () => Result): Result {
  const before = isOwn;
  isOwn = true;
  try {
    return start();
  } finally {
    isOwn = before;
  }
}

/** Runs what starts one of them later, and all that follows from it: nothing that calls code of users. */
export function workAsOwn<Result>(work: () => Result): Result {
  return ownWork.run(true, work);
}

export function isStartingOwn(): boolean {
  return isOwn || ownWork.getStore() === true;
}
