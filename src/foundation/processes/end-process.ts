/** Ends a process by its id, at once. Returns whether there was one. */
export function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
