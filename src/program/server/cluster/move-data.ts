/**
 * Moves the complete content of a data directory into a cluster, and back: the current state of objects, activity logs,
 * counts of requests, the OWASP rules in force, and the key that encrypts private keys. The source is not changed. Each
 * object is read back and compared. After an interruption, the same command continues.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, realClock, StartError } from '#base';
import { writePrivateFile } from '#files';
import {
  accountObjectName,
  certificatesKeyFile,
  clusterStateName,
  type KeptCounts,
  readCountsOf,
  readOldEventsOf,
  readCertificatesKey,
  readStateFile,
  readZonesOf,
  writeCountsFile,
  writeStateFile,
} from '#control';
import { VersionStore } from '#seclang';
import {
  type EventCursor,
  type EventStore,
  openEventStore,
  openDatabaseEventStore,
  openTrafficStore,
  type RecordedEvent,
  retentionMs as retentionByPlan,
  type SecurityEvent,
  type TrafficStore,
} from '#events';
import { openRecorded } from '#hosts';
import { copyObjects, type OnDifference, OperatorError, putDatabase } from '#operator';
import { createRuntime, type ObjectRuntime, type OnProgress } from '#objects';
import type { Config } from '../config/read-config.ts';
import { checkDataDirectory, isMarked, markDataDirectory } from '../data-directory.ts';
import { type OpenCluster, openIdleCluster, recordClasses } from './open-both.ts';

export interface MoveOptions {
  readonly config: Config;
  readonly directory: string;
  readonly log: Log;
  readonly onProgress: OnProgress;
}

export interface MoveResult {
  readonly copied: number;
  /** Objects that already existed. */
  readonly present: number;
  readonly events: number;
}

/** The account is last: without it, nothing is served. */
const objectClasses = ['Zone', 'TokenUses', 'Sessions', 'Account'];

/** Empty until the classes of the directory are recorded: only until then is it opened without them. */
const unfinishedFile = 'cluster-export.unfinished';
const classesRecorded = 'classes are recorded\n';
const eventsCopiedAtOnce = 1_000;
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** From a directory without a running server, into a cluster without serving hosts. */
export async function importDirectory(options: MoveOptions): Promise<MoveResult> {
  const { config, directory, log } = options;
  checkDataDirectory(directory, 'control plane');
  checkEventsMoved(directory);
  await using opened = new AsyncDisposableStack();
  const from = opened.use(await openRecorded({ directory }));
  // From here on the cluster is marked: it is not served before it is complete.
  const cluster = opened.use(await openIdleCluster(config, log, 'fill'));
  const { runtime: to, scratch } = cluster;
  const onDifference = (await beginImport(cluster, directory)) ? 'replace' : 'refuse';
  const moved = await copyObjects({ ...options, from, to, classNames: objectClasses, onDifference, scratch });
  const events = await importActivity(options, from, cluster, onDifference);
  await putState(cluster, directory, { isUnfinished: false, onDifference });
  await cluster.cluster.endFilling();
  return { ...moved, events };
}

/** From a cluster without serving hosts, into a directory that is new or empty. */
export async function exportDirectory(options: MoveOptions): Promise<MoveResult> {
  const { config, directory, log } = options;
  beginExport(directory);
  await using opened = new AsyncDisposableStack();
  const cluster = opened.use(await openIdleCluster(config, log));
  const { runtime: from, scratch } = cluster;
  const to = opened.use(await openExported(directory));
  const classNames = objectClasses;
  const moved = await copyObjects({ ...options, from, to, classNames, onDifference: 'replace', scratch });
  const events = await exportActivity(options, cluster);
  await exportState(cluster, directory);
  markDataDirectory(directory, 'control plane');
  rmSync(join(directory, unfinishedFile));
  return { ...moved, events };
}

/**
 * Marks the cluster as incomplete, also for versions that do not know the mark; returns whether differing content may
 * be replaced.
 */
async function beginImport(cluster: OpenCluster, directory: string): Promise<boolean> {
  const state = await readState(cluster);
  if (state !== undefined) return state.isUnfinished || cluster.cluster.isFilling;
  for (const className of objectClasses) {
    for await (const { name, id } of cluster.runtime.objects(className)) {
      throw new OperatorError(
        `the cluster is not empty: it has ${className} ${name ?? id.toString()}; import into a database without a cluster`,
      );
    }
  }
  await putState(cluster, directory, { isUnfinished: true, onDifference: 'replace' });
  return true;
}

async function readState({
  runtime,
  scratch,
}: OpenCluster): Promise<ReturnType<typeof readStateFile> | undefined> {
  return await withFile(scratch, async (file) => {
    const id = runtime.namespace('ClusterState').idFromName(clusterStateName);
    await runtime.history(id).exportTo(file);
    return readFileSync(file).length === 0 ? undefined : readStateFile(file);
  });
}

async function putState(
  { runtime, scratch }: OpenCluster,
  directory: string,
  { isUnfinished, onDifference }: { readonly isUnfinished: boolean; readonly onDifference: OnDifference },
): Promise<void> {
  await withFile(scratch, async (file) => {
    writeStateFile(file, {
      certificatesKey: readCertificatesKey(directory),
      coreRules: new VersionStore(directory).readCurrent(),
      isUnfinished,
    });
    const id = runtime.namespace('ClusterState').idFromName(clusterStateName);
    await putDatabase(runtime, id, { file, label: 'the state of the cluster', onDifference, scratch });
  });
}

async function importActivity(
  options: MoveOptions,
  from: ObjectRuntime,
  cluster: OpenCluster,
  onDifference: OnDifference,
): Promise<number> {
  const { config, directory, log } = options;
  const { runtime: to, scratch } = cluster;
  const warn = (message: string, error?: unknown): void => log.warn(message, { error });
  await using opened = new AsyncDisposableStack();
  const events = opened.use(
    await openEventStore({ directory: join(directory, 'events'), clock: realClock, log: warn }),
  );
  const retentions = await readRetentions(config, from, scratch);
  const traffic = opened.use(
    await openTrafficStore({
      directory: join(directory, 'traffic'),
      clock: realClock,
      log: warn,
      retentionOf: (zoneId) => retentions.get(zoneId),
    }),
  );
  const count = createCounter(options);
  for (const [zoneId, keptMs] of retentions) {
    const counts = await readAllCounts(traffic, zoneId, keptMs);
    await withFile(scratch, async (file) => {
      writeCountsFile(file, counts);
      const id = to.namespace('ActivityLog').idFromName(zoneId);
      await putDatabase(to, id, { file, label: `the activity log of ${zoneId}`, onDifference, scratch });
    });
    await using shared = await openZoneLog(cluster, zoneId, warn);
    await copyEvents({ from: events, to: shared, zoneId, keptMs, count });
  }
  return count(0);
}

async function openZoneLog(
  { cluster }: OpenCluster,
  zoneId: string,
  log: (message: string, error?: unknown) => void,
): Promise<EventStore> {
  return await openDatabaseEventStore({ rows: await cluster.takeLog(zoneId), clock: realClock, log });
}

/** Counts events and reports their number; returns the total. */
function createCounter({ onProgress }: MoveOptions): (events: number) => number {
  let done = 0;
  return (events) => {
    for (let each = 0; each < events; each++)
      onProgress({ step: 'copying events', done: ++done, total: undefined });
    return done;
  };
}

interface EventCopy {
  readonly from: EventStore;
  readonly to: EventStore;
  readonly zoneId: string;
  readonly keptMs: number;
  readonly count: (events: number) => void;
}

/** Events that were copied before an interruption are stored once. */
async function copyEvents({ from, to, zoneId, keptMs, count }: EventCopy): Promise<void> {
  const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
  let cursor: EventCursor | undefined;
  let explained = '';
  do {
    const order = { limit: eventsCopiedAtOnce, order: 'oldest' } as const;
    const page = await from.find(zoneId, range, { ...order, ...(cursor === undefined ? {} : { cursor }) });
    const recorded: RecordedEvent[] = [];
    for (const event of page.events) {
      // The events of one request share an explanation.
      const judged = event.rayName === explained ? undefined : await readJudged(from, zoneId, event);
      explained = event.rayName;
      recorded.push(judged === undefined ? { event } : { event, judged });
    }
    await to.append(zoneId, recorded, keptMs);
    count(recorded.length);
    cursor = page.cursor;
  } while (cursor !== undefined);
}

async function readJudged(
  store: EventStore,
  zoneId: string,
  event: SecurityEvent,
): Promise<string | undefined> {
  const found = await store.get(zoneId, event.id);
  return found?.judged === undefined ? undefined : JSON.stringify(found.judged);
}

async function readAllCounts(store: TrafficStore, zoneId: string, keptMs: number): Promise<KeptCounts[]> {
  const nowMs = realClock.now();
  const range = { sinceMs: nowMs - keptMs, untilMs: nowMs + dayMs, intervalMs: minuteMs };
  // Hours without single minutes are copied as their first minute, which gives the same sum.
  const spans = await store.read(zoneId, range);
  return Array.from(spans, ([atMs, counts]) => ({ unitMs: minuteMs, atMs, keptMs, counts }));
}

async function exportActivity(options: MoveOptions, cluster: OpenCluster): Promise<number> {
  const { config, directory, log } = options;
  const { runtime, scratch } = cluster;
  const warn = (message: string, error?: unknown): void => log.warn(message, { error });
  // Counts are added up, so those of an interrupted attempt must be deleted.
  rmSync(join(directory, 'traffic'), { recursive: true, force: true });
  await using opened = new AsyncDisposableStack();
  const events = opened.use(
    await openEventStore({ directory: join(directory, 'events'), clock: realClock, log: warn }),
  );
  const traffic = opened.use(
    await openTrafficStore({
      directory: join(directory, 'traffic'),
      clock: realClock,
      log: warn,
      retentionOf: () => Infinity,
    }),
  );
  const count = createCounter(options);
  for (const [zoneId, keptMs] of await readRetentions(config, runtime, scratch)) {
    await withFile(scratch, async (file) => {
      await runtime.history(runtime.namespace('ActivityLog').idFromName(zoneId)).exportTo(file);
      if (readFileSync(file).length === 0) return;
      for (const { keptMs: ownMs, ...event } of readOldEventsOf(file)) {
        await events.append(zoneId, [event], ownMs);
        count(1);
      }
      for (const { atMs, counts } of readCountsOf(file))
        traffic.add([{ zoneId, minute: Math.floor(atMs / minuteMs), counts }]);
    });
    await using shared = await openZoneLog(cluster, zoneId, warn);
    await copyEvents({ from: shared, to: events, zoneId, keptMs, count });
  }
  writeFileSync(join(directory, 'events', 'moved-from-0.1.0'), '', { mode: 0o600 });
  return count(0);
}

async function exportState(cluster: OpenCluster, directory: string): Promise<void> {
  const state = await readState(cluster);
  if (state?.isUnfinished === true)
    throw new StartError(
      'an import into the cluster is not complete: run gatehouse cluster import until it finishes',
    );
  const key = state?.certificatesKey;
  if (key !== undefined)
    writeFileSync(join(directory, certificatesKeyFile), key, { mode: 0o600, flush: true });
  const rules = state?.coreRules;
  if (rules === undefined) return;
  const store = new VersionStore(directory);
  store.install({ ...rules, source: 'a cluster' }, { now: new Date(rules.installedAt) });
  store.use(rules.version);
}

/** How long the events of each zone are kept. */
async function readRetentions(
  { settings }: Config,
  runtime: ObjectRuntime,
  scratch: string,
): Promise<ReadonlyMap<string, number>> {
  return await withFile(scratch, async (file) => {
    const id = runtime.namespace('Account').idFromName(accountObjectName);
    await runtime.history(id).exportTo(file);
    const zones = readFileSync(file).length === 0 ? [] : readZonesOf(file);
    return new Map(
      zones.map(({ id: zoneId, plan }) => [
        zoneId,
        Math.min(retentionByPlan[plan as keyof typeof retentionByPlan], settings.eventDays * dayMs),
      ]),
    );
  });
}

function beginExport(directory: string): void {
  if (existsSync(join(directory, unfinishedFile))) {
    if (!isMarked(directory)) return;
    throw new StartError(
      `${directory} already has all the data: start gatehouse serve on it, or choose a directory that does not exist`,
    );
  }
  checkDataDirectory(directory, 'nothing');
  // Created atomically, because it is empty: a kill must leave no other file in the directory.
  writeFileSync(join(directory, unfinishedFile), '', { flag: 'wx', mode: 0o600 });
}

async function openExported(directory: string): Promise<ObjectRuntime> {
  const mark = join(directory, unfinishedFile);
  if (readFileSync(mark, 'utf8') !== classesRecorded) {
    await recordClasses(directory);
    writePrivateFile(mark, classesRecorded);
  }
  return await createRuntime({ directory, classes: 'recorded' });
}

/** Version 0.1.0 stored events in objects. */
function checkEventsMoved(directory: string): void {
  if (existsSync(join(directory, 'events', 'moved-from-0.1.0'))) return;
  throw new StartError(
    `${directory} has not been opened by this version yet: start gatehouse serve on it once, stop it, then import`,
  );
}

async function withFile<T>(scratch: string, work: (file: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(scratch, 'file-'));
  try {
    return await work(join(folder, 'object.sqlite'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
