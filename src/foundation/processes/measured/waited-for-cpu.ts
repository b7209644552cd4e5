import { readFileSync } from 'node:fs';

/**
 * How long the main thread of a process could have run, and did not get a processor, in milliseconds since its start.
 * Undefined where the system does not say, and without a free descriptor.
 */
export function readWaitedForCpu(pid: number): number | undefined {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1').split(' ');
    return Number(waitedNs) / 1_000_000;
  } catch {
    return undefined;
  }
}
