/**
 * Tells the program's own processes and threads from those that code of users starts, which is refused in the process of a
 * Worker.
 */
let isOwn = false;

/** Runs what starts a process or a thread of the program. It counts until the function returns. */
export function startOwn<Result>(start: () => Result): Result {
  const before = isOwn;
  isOwn = true;
  try {
    return start();
  } finally {
    isOwn = before;
  }
}

export function isStartingOwn(): boolean {
  return isOwn;
}
