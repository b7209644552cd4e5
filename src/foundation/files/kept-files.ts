/**
 * Files that one part of the program deletes while another copies the directory: they are removed when the last copy is
 * done. Only the deleting process knows them; after a crash, the owner of the files finds those that nothing refers to,
 * as after any crash.
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

/** Whether the file must stay for now; then `remove` is called when it need not. */
export function removeAfterCopies(path: string, remove: () => void): boolean {
  if (holders === 0) return false;
  postponed.set(path, remove);
  return true;
}

/** The file is needed again: it is not removed. */
export function keepAfterCopies(path: string): void {
  postponed.delete(path);
}
