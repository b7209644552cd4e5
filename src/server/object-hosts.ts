/** The processes in which accounts and zones live. */
import { availableParallelism } from 'node:os';
import type { Log } from '#base';
import type { ControlHosts } from '#control';
import type { Settings } from './config/settings.ts';

/** More do not make a machine faster: each has a log of its own, and they share a disk. */
const coresMax = 8;

interface HostsParts {
  readonly settings: Settings;
  readonly log: Log;
  readonly onEnd: NonNullable<ControlHosts['onEnd']>;
}

/** 1 if objects live in the process of the API. */
export function countHosts({ objectHosts }: Settings): number {
  return objectHosts === 'cores' ? Math.min(availableParallelism(), coresMax) : objectHosts;
}

/** Undefined if objects live in the process of the API. */
export function describeHosts({ settings, log, onEnd }: HostsParts): ControlHosts | undefined {
  const { objectHostStuck: cpuMsMax, objectHostBytes: heapBytesMax } = settings;
  const count = countHosts(settings);
  if (count === 1) return undefined;
  return { count, cpuMsMax, heapBytesMax, log, onEnd };
}
