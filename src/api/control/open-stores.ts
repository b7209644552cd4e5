/** The storage of the control plane: a data directory, or a cluster. */
import { extname, join } from 'node:path';
import { realClock } from '#base';
import {
  type DatabaseLogs,
  type EventStore,
  openEventStore,
  openTrafficStore,
  retentionMs as retentionByPlan,
  type TrafficStore,
} from '#events';
import { arrangeForOneProcess, createHosts } from '#hosts';
import { createRuntime, type ObjectRuntime, type RuntimeOptions, VirtualClock } from '#objects';
import type { SessionStore } from '#contract';
import type { ControlCluster } from './clustered/control-cluster.ts';
import { noAcme } from './context/acme-settings.ts';
import type { ControlOptions } from './control-options.ts';
import type { ControlEnvironment } from './context/environment.ts';
import type { Directory } from './context/directory.ts';
import { controlService, type DirectoryCopies } from './directory-copies.ts';
import { clusterClasses, controlClasses } from './object-process-environment.ts';
import type { ControlProcessData } from './object-process.ts';
import { type SessionObject, sessionObjectName, type SessionSubject } from './sessions/session-object.ts';

/** Below the data directory. */
export const eventDirectoryName = 'events';
const trafficDirectoryName = 'traffic';
/** The temporary files of a cluster's host. */
const scratchDirectoryName = 'scratch';

/** The objects of a cluster. The directory only has their temporary files. */
export function openClusterRuntime(
  options: ControlOptions,
  cluster: ControlCluster,
  environment: ControlEnvironment & { readonly logs: DatabaseLogs },
): Promise<ObjectRuntime> {
  const { directory, retentionMs } = options;
  const { durability: _, fs: _fs, ...storage } = pickStorage(options);
  return createRuntime({
    ...storage,
    ...(retentionMs === undefined ? {} : { retentionMs }),
    cluster,
    directory: join(directory, scratchDirectoryName),
    env: environment,
    classes: clusterClasses,
  });
}

/** The objects of a data directory, in this process or in separate processes. */
export async function openLocalRuntime(
  options: ControlOptions,
  environment: ControlEnvironment,
  copies: DirectoryCopies,
): Promise<ObjectRuntime> {
  const { directory, retentionMs, hosts } = options;
  const kept = { directory, ...(retentionMs === undefined ? {} : { retentionMs }) };
  const storage = { ...pickStorage(options), ...kept };
  if (hosts === undefined) {
    const warn = (message: string): void => options.log?.(message);
    // Tests that replace the disk have no earlier hosts.
    if (options.fs === undefined)
      await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
    return createRuntime({ ...storage, env: environment, classes: controlClasses });
  }
  const { count, ...settings } = hosts;
  const { durability, clock } = storage;
  return createHosts({
    ...kept,
    ...(durability === undefined ? {} : { durability }),
    ...(clock instanceof VirtualClock ? { clock } : {}),
    ...settings,
    hosts: count,
    module: new URL(`./object-process${extname(import.meta.filename)}`, import.meta.url),
    data: {
      directory,
      origins: options.origins,
      acme: options.acme ?? noAcme,
      mail: options.mail,
    } satisfies ControlProcessData,
    services: { [controlService]: copies },
  });
}

/**
 * A stub stays broken once its object has failed, so each call uses a new one. `onWritten` is awaited after each write.
 */
export function createSessionStore(
  runtime: ObjectRuntime,
  onWritten: () => Promise<void>,
): SessionStore<SessionSubject> {
  const find = () => runtime.namespace<SessionObject>('Sessions').getByName(sessionObjectName);
  return {
    async add(session, nowMs) {
      await find().add(session, nowMs);
      await onWritten();
    },
    async remove(hash) {
      await find().remove(hash);
      await onWritten();
    },
    list: () => find().list(),
  };
}

type Storage = Pick<RuntimeOptions, 'durability' | 'clock' | 'log' | 'fs'>;

function pickStorage({ durability, clock, log, fs }: ControlOptions): Storage {
  return {
    ...(durability === undefined ? {} : { durability }),
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
    ...(fs === undefined ? {} : { fs }),
  };
}

/** The caller holds the lock of the directory. */
export function openEvents(options: ControlOptions): Promise<EventStore> {
  const { directory, onError, eventRetentionMsMax: retentionMsMax } = options;
  return openEventStore({
    clock: realClock,
    log: (message, error) => onError(new Error(message, { cause: error }), ''),
    ...pickStorage(options),
    directory: join(directory, eventDirectoryName),
    ...(retentionMsMax === undefined ? {} : { retentionMsMax }),
  });
}

/** Counts are kept as long as events. */
export function openTraffic(options: ControlOptions, { zones }: Directory): Promise<TrafficStore> {
  const { directory, onError, eventRetentionMsMax = Infinity } = options;
  return openTrafficStore({
    clock: realClock,
    log: (message, error) => onError(new Error(message, { cause: error }), ''),
    ...pickStorage(options),
    directory: join(directory, trafficDirectoryName),
    retentionOf: (zoneId) => findRetention(zones, zoneId, eventRetentionMsMax),
  });
}

/** How long events and counts of a zone are kept; undefined if there is no such zone. */
export function findRetention(zones: Directory['zones'], zoneId: string, msMax: number): number | undefined {
  const plan = zones.get(zoneId)?.plan;
  return plan === undefined ? undefined : Math.min(retentionByPlan[plan], msMax);
}
