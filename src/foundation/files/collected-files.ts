/**
 * Node treats a file that was left open, and is closed when it is garbage-collected, as an uncaught exception. Nothing
 * depends on such a file any more, so a process that serves others reports it and continues.
 */
export function surviveCollectedFiles(report: (error: Error) => void): void {
  process.addUncaughtExceptionCaptureCallback((error) => {
    if (!isCollectedFile(error)) return false;
    report(error);
    return true;
  });
}

/** The error has the code of many errors, and no specific one. */
function isCollectedFile(error: unknown): error is Error {
  return (
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_INVALID_STATE' &&
    error.message.startsWith('A FileHandle object was closed during garbage collection')
  );
}
