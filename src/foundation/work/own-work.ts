/**
 * Distinguishes the program's own processes, threads and connections through the file system from those that user code
 * starts, which are refused in the process of a Worker.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

let isOwn = false;
const ownWork = new AsyncLocalStorage<true>();

/** Runs a function that starts one of the program's own. It is in effect until the function returns. */
export function startOwn<Result>(start: () => Result): Result {
  const before = isOwn;
  isOwn = true;
  try {
    return start();
  } finally {
    isOwn = before;
  }
}

/** Runs a function that starts one of them later, and everything that follows from it: it must not call user code. */
export function runPrivileged<Result>(work: () => Result): Result {
  return ownWork.run(true, work);
}

export function isStartingOwn(): boolean {
  return isOwn || ownWork.getStore() === true;
}
