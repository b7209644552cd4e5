import { readFileSync } from 'node:fs';

/**
 * How long the main thread of a process was runnable without getting a processor, in milliseconds since its start.
 * Undefined where the system does not report it, and without a free descriptor.
 */
export function readWaitedForCpu(pid: number): number | undefined {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
    return Number(waitedNs) / 1_000_000;
  } catch {
    return undefined;
  }
}
