/** Opens the activity logs and the counts of requests: in files of a data directory, or in a cluster. */
import { join } from 'node:path';
import { realClock } from '#base';
import {
  createEventPart,
  createTrafficPart,
  DatabaseLogs,
  type EventStore,
  type TrafficStore,
} from '#events';
import type { BackupPart, ObjectRuntime } from '#objects';
import { SharedActivity } from './clustered/shared-activity.ts';
import type { ControlOptions } from './control-options.ts';
import type { Directory } from './context/directory.ts';
import type { ControlEnvironment } from './context/environment.ts';
import { moveOldEvents } from './objects/move-old-events.ts';
import { eventDirectoryName, findRetention, openEvents, openTraffic } from './open-stores.ts';
import { Activity } from './operations/events/activity.ts';

/** The files of a data directory besides those of objects. */
export interface ControlFiles {
  readonly events: EventStore;
  /** How many requests each zone had. */
  readonly traffic: TrafficStore;
  /** For copies of the directory. */
  readonly parts: readonly BackupPart[];
}

export interface OpenLogs {
  readonly files: ControlFiles | undefined;
  readonly traffic: TrafficStore | SharedActivity;
  readonly activity: Activity;
  hasZone(zoneId: string): boolean;
}

/** Moves what version 0.1.0 kept in objects into the files of the directory. */
export async function moveFrom010(
  { directory, log }: ControlOptions,
  { runtime, files, hasZone }: Pick<OpenLogs, 'files' | 'hasZone'> & { readonly runtime: ObjectRuntime },
): Promise<void> {
  if (files === undefined) return;
  const eventDirectory = join(directory, eventDirectoryName);
  const moved = await moveOldEvents({ runtime, store: files.events, directory: eventDirectory, hasZone });
  if (moved > 0) log?.(`moved ${moved} events of version 0.1.0 into the new form of the activity log`);
}

export function openDatabaseLogs(options: ControlOptions): DatabaseLogs | undefined {
  const { cluster, clock = realClock, eventRetentionMsMax: retentionMsMax, onError } = options;
  if (cluster === undefined) return undefined;
  return new DatabaseLogs({
    take: (zoneId) => cluster.takeLog(zoneId),
    clock,
    ...(retentionMsMax === undefined ? {} : { retentionMsMax }),
    log: (message, error) => onError(new Error(message, { cause: error }), ''),
  });
}

/** Events and counts of requests: in files, or in objects of a cluster. */
export async function openLogs(
  options: ControlOptions,
  runtime: ObjectRuntime,
  environment: ControlEnvironment,
  opened: AsyncDisposableStack,
): Promise<OpenLogs> {
  const { clock = realClock } = options;
  const hasZone = (zoneId: string): boolean => environment.directory.zones.has(zoneId);
  const files = await openFiles(options, environment.directory, opened);
  if (files !== undefined)
    return {
      files,
      traffic: files.traffic,
      hasZone,
      activity: new Activity({ store: files.events, clock, hasZone }),
    };
  const logs = openSharedActivity(options, runtime, environment);
  const activity = new Activity({ store: logs, follow: logs.follow, clock, hasZone });
  return { files, traffic: logs, hasZone, activity };
}

/** What is kept beside objects; undefined in a cluster. */
async function openFiles(
  options: ControlOptions,
  directory: Directory,
  opened: AsyncDisposableStack,
): Promise<ControlFiles | undefined> {
  if (options.cluster !== undefined) return undefined;
  const events = opened.use(await openEvents(options));
  const traffic = opened.use(await openTraffic(options, directory));
  const eventPart = createEventPart(events, join(options.directory, eventDirectoryName));
  return { events, traffic, parts: [eventPart, createTrafficPart(traffic)] };
}

function openSharedActivity(
  { clock = realClock, cluster, eventRetentionMsMax: retentionMsMax = Infinity }: ControlOptions,
  runtime: ObjectRuntime,
  { directory, onError }: ControlEnvironment,
): SharedActivity {
  return new SharedActivity({
    runtime,
    clock,
    steadyClock: cluster!.clock,
    retentionMsMax,
    retentionOf: (zoneId) => findRetention(directory.zones, zoneId, retentionMsMax),
    onError,
  });
}
