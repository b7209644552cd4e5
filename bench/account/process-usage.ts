/** The resource usage of a process of this machine, from `/proc`. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessUsage {
  readonly cpuMs: number;
  readonly residentMb: number;
  readonly descriptors: number;
}

/** A process that used less than `restCpuMs` of processor time for this long has finished what it does in the background. */
const quietMs = 200;
const restCpuMs = 2;

export function readUsage(pid: number): ProcessUsage {
  return { cpuMs: readCpuMs(pid), residentMb: readResidentMb(pid), descriptors: countDescriptors(pid) };
}

/** Waits until the process is idle. */
export async function readUsageAtRest(pid: number): Promise<ProcessUsage> {
  for (let before = readCpuMs(pid); ;) {
    await sleep(quietMs);
    const after = readCpuMs(pid);
    if (after - before < restCpuMs) return readUsage(pid);
    before = after;
  }
}

/** Of its threads; the files count nanoseconds. */
function readCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}

function readResidentMb(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

function countDescriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}
