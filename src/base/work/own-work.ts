/**
 * Tells the program's own processes, threads and connections through the file system from those that code of users
 * starts, which are refused in the process of a Worker.
 */
let isOwn = false;

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

export function isStartingOwn(): boolean {
  return isOwn;
}
