import { readFileSync } from 'node:fs';

/** Whether a process runs. One of another user counts, one that has ended and whose parent has not noticed does not. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isZombie(pid: number): boolean {
  const status = readStatus(pid);
  // The name before it can contain any character.
  return status !== undefined && /^\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
}

/** Undefined where the system has no such files. */
function readStatus(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}
