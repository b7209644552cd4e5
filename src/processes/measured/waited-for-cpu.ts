import { readFileSync } from 'node:fs';

/**
 * How long the main thread of this process could have run, and did not get a processor, in milliseconds since its start.
 * 0 where the system does not say; without a free descriptor, what it said last holds.
 */
export function readWaitedForCpu(): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ');
    waitedMs = Number(waitedNs) / 1_000_000;
  } catch {
    // Another system.
  }
  return waitedMs;
}

let waitedMs = 0;
