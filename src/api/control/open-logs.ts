/** Opens the activity logs and the counts of requests: in files of a data directory, or in a cluster. */
import { join } from 'node:path';
import { realClock } from '#base';
import { createEventPart, createTrafficPart, EventHub, type EventStore, type TrafficStore } from '#events';
import type { BackupPart, ObjectRuntime } from '#objects';
import type { ControlCluster } from './clustered/control-cluster.ts';
import { SharedActivity } from './clustered/shared-activity.ts';
import type { ControlOptions } from './control-options.ts';
import type { ControlEnvironment } from './context/environment.ts';
import { moveOldEvents } from './objects/move-old-events.ts';
import { eventDirectoryName, findRetention, openEvents, openTraffic } from './open-stores.ts';
import { Activity, type EventLogs } from './operations/events/activity.ts';
import type { TrafficLog } from './operations/several-objects.ts';

/** The files of a data directory besides those of objects. */
export interface ControlFiles {
  readonly events: EventStore;
  /** The number of requests of each zone. */
  readonly traffic: TrafficStore;
  /** For copies of the directory. */
  readonly parts: readonly BackupPart[];
}

export interface OpenLogs {
  /** Undefined if they are not files. */
  readonly files?: ControlFiles;
  readonly activity: Activity;
  readonly traffic: TrafficLog;
  hasZone(zoneId: string): boolean;
  /** Rejects if events cannot be written. */
  checkWritable(): Promise<void>;
  /** Called before the objects are closed. */
  close(): Promise<void>;
}

/** Logs in files of the data directory. */
export async function openFileLogs(
  options: ControlOptions,
  { directory }: ControlEnvironment,
): Promise<OpenLogs & { readonly files: ControlFiles }> {
  const { clock = realClock } = options;
  await using opened = new AsyncDisposableStack();
  const events = opened.use(await openEvents(options));
  const traffic = opened.use(await openTraffic(options, directory));
  const eventPart = createEventPart(events, join(options.directory, eventDirectoryName));
  const hasZone = (zoneId: string): boolean => directory.zones.has(zoneId);
  const hub = new EventHub();
  const store: EventLogs = {
    async append(zoneId, recorded, retentionMs) {
      await events.append(zoneId, recorded, retentionMs);
      hub.publish(
        zoneId,
        recorded.map(({ event }) => event),
      );
    },
    find: (...asked) => events.find(...asked),
    groupEach: (...asked) => events.groupEach(...asked),
    get: (...asked) => events.get(...asked),
    erase: (zoneId) => events.erase(zoneId),
    follow: (zoneId, hear) => hub.subscribe(zoneId, hear),
  };
  opened.move();
  return {
    files: { events, traffic, parts: [eventPart, createTrafficPart(traffic)] },
    activity: new Activity({ store, clock, hasZone }),
    traffic,
    hasZone,
    checkWritable: () => events.checkWritable(),
    async close() {
      await events.close();
      await traffic.close();
    },
  };
}

/** Moves data that version 0.1.0 stored in objects to files of the directory. */
export async function moveFrom010(
  { directory, log }: ControlOptions,
  runtime: ObjectRuntime,
  { files, hasZone }: Awaited<ReturnType<typeof openFileLogs>>,
): Promise<void> {
  const eventDirectory = join(directory, eventDirectoryName);
  const moved = await moveOldEvents({ runtime, store: files.events, directory: eventDirectory, hasZone });
  if (moved > 0) log?.(`moved ${moved} events of version 0.1.0 into the new form of the activity log`);
}

/** Logs in a cluster: each zone's log is reached through the object that reports which host has it. */
export function openClusterLogs(
  { clock = realClock, eventRetentionMsMax: retentionMsMax = Infinity }: ControlOptions,
  { clock: steadyClock }: ControlCluster,
  runtime: ObjectRuntime,
  { directory, onError }: ControlEnvironment,
): OpenLogs {
  const hasZone = (zoneId: string): boolean => directory.zones.has(zoneId);
  const shared = new SharedActivity({
    runtime,
    clock,
    steadyClock,
    retentionMsMax,
    retentionOf: (zoneId) => findRetention(directory.zones, zoneId, retentionMsMax),
    onError,
  });
  return {
    activity: new Activity({ store: shared, clock, hasZone }),
    traffic: shared,
    hasZone,
    checkWritable: async () => {},
    close: () => shared.write(),
  };
}
