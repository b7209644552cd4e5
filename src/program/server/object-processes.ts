/** The processes in which objects live: accounts and zones, and those of Workers. */
import { availableParallelism } from 'node:os';
import type { Log } from '#base';
import type { ControlHosts } from '#control';
import { chooseHostCount } from '#hosts';
import type { Settings } from './config/settings.ts';

/** More do not increase throughput: each has a log of its own, and they share a disk. */
const coresMax = 8;

interface HostsParts {
  readonly settings: Settings;
  readonly count: number;
  readonly log: Log;
  readonly onEnd: NonNullable<ControlHosts['onEnd']>;
}

/** 1 if the objects of the directory live in the process of the API, or of the Worker. */
export function countObjectProcesses(settings: Settings, directory: string): number {
  const { objectHosts, cluster, clusterFile } = settings;
  if (cluster !== undefined || clusterFile !== undefined) return 1;
  if (objectHosts === undefined) return chooseHostCount(directory);
  return objectHosts === 'cores' ? Math.min(availableParallelism(), coresMax) : objectHosts;
}

/** Undefined if objects live in the process of the API. */
export function describeObjectProcesses({
  settings,
  count,
  log,
  onEnd,
}: HostsParts): ControlHosts | undefined {
  const { objectHostStuck: cpuMsMax, objectHostBytes: heapBytesMax } = settings;
  const { objectStatementStuck: statementMsMax } = settings;
  if (count === 1) return undefined;
  return { count, cpuMsMax, statementMsMax, heapBytesMax, log, onEnd };
}
