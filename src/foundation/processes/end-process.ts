/** Kills a process by its id. Returns whether it existed. */
export function endProcess(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}
