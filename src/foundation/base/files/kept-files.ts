/**
 * Files that one part of the program deletes while another copies the directory: what is deleted meanwhile goes when the
 * last copy is done. It is known only to the process that deletes; after a crash, whoever owns the files finds those that
 * nothing refers to, as after any other.
 */

let holders = 0;
const postponed = new Map<string, () => void>();

/** Files stay until the result is disposed of. */
export function keepFiles(): Disposable {
  holders++;
  let isHeld = true;
  return {
    [Symbol.dispose]: () => {
      if (!isHeld) return;
      isHeld = false;
      if (--holders > 0) return;
      const removals = [...postponed.values()];
      postponed.clear();
      for (const remove of removals) remove();
    },
  };
}

/** Whether the file has to stay for now; then `remove` is called when it need not. */
export function removeAfterCopies(path: string, remove: () => void): boolean {
  if (holders === 0) return false;
  postponed.set(path, remove);
  return true;
}

/** The file is needed again: it is not removed. */
export function keepAfterCopies(path: string): void {
  postponed.delete(path);
}
