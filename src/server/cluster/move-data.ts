/**
 * Moves everything of a data directory into a cluster, and back: objects as they are now, activity logs, counts of
 * requests, the OWASP rules in force, and the key that private keys are encrypted with. The source is not changed. Each
 * object is read back and compared. After an interruption, the same command goes on.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, type Log, realClock, StartError } from '#base';
import {
  accountObjectName,
  certificatesKeyFile,
  clusterStateName,
  type KeptCounts,
  type KeptEvent,
  readCountsOf,
  readEventsOf,
  readStateFile,
  readZonesOf,
  writeActivityFile,
  writeStateFile,
} from '#control';
import { VersionStore } from '#seclang';
import {
  type EventStore,
  openEventStore,
  openTrafficStore,
  pageEventsMax,
  retentionMs as retentionByPlan,
  type SecurityEvent,
  type TrafficStore,
} from '#events';
import { openRecorded } from '#hosts';
import { OperatorError } from '#operator';
import type { ObjectRuntime, OnProgress } from '#objects';
import type { Config } from '../config/read-config.ts';
import { checkDataDirectory, isMarked, markDataDirectory } from '../data-directory.ts';
import { copyObjects, putDatabase } from './copy-objects.ts';
import { type OpenCluster, openIdleCluster, openNewDirectory } from './open-both.ts';

export interface MoveOptions {
  readonly config: Config;
  readonly directory: string;
  readonly log: Log;
  readonly onProgress: OnProgress;
}

export interface MoveResult {
  readonly copied: number;
  /** Objects that were there already. */
  readonly present: number;
  readonly events: number;
}

/** The account is last: without it, nothing is served. */
const objectClasses = ['Zone', 'TokenUses', 'Sessions', 'Account'];

const unfinishedFile = 'cluster-export.unfinished';
const minuteMs = 60_000;
const dayMs = 86_400_000;

/** From a directory that no server runs on, into a cluster that no host serves. */
export async function importDirectory(options: MoveOptions): Promise<MoveResult> {
  const { config, directory, log } = options;
  checkDataDirectory(directory, 'control plane');
  checkEventsMoved(directory);
  await using opened = new AsyncDisposableStack();
  const from = opened.use(await openRecorded({ directory }));
  // From here on the cluster is marked: it is not served before it has everything.
  const cluster = opened.use(await openIdleCluster(config, log, 'fill'));
  const { runtime: to, scratch } = cluster;
  const replaces = await beginImport(cluster, directory);
  const moved = await copyObjects({ ...options, from, to, classNames: objectClasses, replaces, scratch });
  const events = await importActivity(options, from, cluster, replaces);
  await putState(cluster, directory, { isUnfinished: false, replaces });
  await cluster.cluster.endFilling();
  return { ...moved, events };
}

/** From a cluster that no host serves, into a directory that is new or empty. */
export async function exportDirectory(options: MoveOptions): Promise<MoveResult> {
  const { config, directory, log } = options;
  beginExport(directory);
  await using opened = new AsyncDisposableStack();
  const cluster = opened.use(await openIdleCluster(config, log));
  const { runtime: from, scratch } = cluster;
  const to = opened.use(await openNewDirectory(directory));
  const classNames = objectClasses;
  const moved = await copyObjects({ ...options, from, to, classNames, replaces: true, scratch });
  const events = await exportActivity(options, cluster);
  await exportState(cluster, directory);
  markDataDirectory(directory, 'control plane');
  rmSync(join(directory, unfinishedFile));
  return { ...moved, events };
}

/**
 * Says in the cluster that it does not hold everything yet, also to versions that do not know of its mark; answers whether
 * what differs may be replaced.
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
  await putState(cluster, directory, { isUnfinished: true, replaces: true });
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
  { isUnfinished, replaces }: { readonly isUnfinished: boolean; readonly replaces: boolean },
): Promise<void> {
  const keyFile = join(directory, certificatesKeyFile);
  await withFile(scratch, async (file) => {
    writeStateFile(file, {
      certificatesKey: existsSync(keyFile) ? readFileSync(keyFile) : undefined,
      coreRules: new VersionStore(directory).readCurrent(),
      isUnfinished,
    });
    const id = runtime.namespace('ClusterState').idFromName(clusterStateName);
    await putDatabase(runtime, id, { file, label: 'the state of the cluster', replaces, scratch });
  });
}

async function importActivity(
  { config, directory, onProgress, log }: MoveOptions,
  from: ObjectRuntime,
  { runtime: to, scratch }: OpenCluster,
  replaces: boolean,
): Promise<number> {
  const warn = (message: string, error?: unknown): void => log.warn(message, { error });
  await using opened = new AsyncDisposableStack();
  const events = opened.use(
    await openEventStore({ directory: join(directory, 'events'), clock: realClock, log: warn }),
  );
  const plans = new Map((await readZones(from, scratch)).map(({ id, plan }) => [id, plan]));
  const keptMsOf = (zoneId: string): number =>
    Math.min(
      retentionByPlan[plans.get(zoneId) as keyof typeof retentionByPlan],
      config.settings.eventDays * dayMs,
    );
  const traffic = opened.use(
    await openTrafficStore({
      directory: join(directory, 'traffic'),
      clock: realClock,
      log: warn,
      retentionOf: (zoneId) => (plans.has(zoneId) ? keptMsOf(zoneId) : undefined),
    }),
  );
  let moved = 0;
  for (const zoneId of plans.keys()) {
    await withFile(scratch, async (file) => {
      const keptMs = keptMsOf(zoneId);
      const counted = countEvents(readAllEvents(events, zoneId, keptMs), () => {
        onProgress({ step: 'copying events', done: ++moved, total: undefined });
      });
      await writeActivityFile(file, counted, await readAllCounts(traffic, zoneId, keptMs));
      const id = to.namespace('ActivityLog').idFromName(zoneId);
      await putDatabase(to, id, { file, label: `the activity log of ${zoneId}`, replaces, scratch });
    });
  }
  return moved;
}

async function* countEvents(events: AsyncIterable<KeptEvent>, count: () => void): AsyncGenerator<KeptEvent> {
  for await (const event of events) {
    yield event;
    count();
  }
}

async function* readAllEvents(store: EventStore, zoneId: string, keptMs: number): AsyncGenerator<KeptEvent> {
  const range = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
  let cursor: { readonly atMs: number; readonly sequence: number } | undefined;
  let explained = '';
  do {
    const page = await store.find(zoneId, range, {
      limit: pageEventsMax,
      order: 'oldest',
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const event of page.events) {
      // The events of one request share an explanation.
      const judged = event.rayName === explained ? undefined : await readJudged(store, zoneId, event);
      explained = event.rayName;
      yield { event, keptMs, ...(judged === undefined ? {} : { judged }) };
    }
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
  // Hours that have no minutes any more come as the first minute of theirs, which adds up to the same.
  const spans = await store.read(zoneId, range);
  return Array.from(spans, ([atMs, counts]) => ({ unitMs: minuteMs, atMs, keptMs, counts }));
}

async function exportActivity(
  { directory, onProgress, log }: MoveOptions,
  { runtime, scratch }: OpenCluster,
): Promise<number> {
  const warn = (message: string, error?: unknown): void => log.warn(message, { error });
  // Counts are added up, so those of an attempt that was interrupted have to go.
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
  let moved = 0;
  for await (const { id, name } of runtime.objects('ActivityLog')) {
    if (name === undefined) continue;
    await withFile(scratch, async (file) => {
      await runtime.history(id).exportTo(file);
      if (readFileSync(file).length === 0) return;
      for (const { keptMs, ...event } of readEventsOf(file)) {
        await events.append(name, [event], keptMs);
        onProgress({ step: 'copying events', done: ++moved, total: undefined });
      }
      for (const { atMs, counts } of readCountsOf(file))
        traffic.add([{ zoneId: name, minute: Math.floor(atMs / minuteMs), counts }]);
    });
  }
  writeFileSync(join(directory, 'events', 'moved-from-0.1.0'), '', { mode: 0o600 });
  return moved;
}

async function exportState(cluster: OpenCluster, directory: string): Promise<void> {
  const state = await readState(cluster);
  if (state?.isUnfinished === true)
    throw new StartError(
      'the cluster holds a part of what is being imported: run gatehouse cluster import to its end',
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

async function readZones(
  runtime: ObjectRuntime,
  scratch: string,
): Promise<readonly { readonly id: string; readonly plan: string }[]> {
  return await withFile(scratch, async (file) => {
    const id = runtime.namespace('Account').idFromName(accountObjectName);
    await runtime.history(id).exportTo(file);
    return readFileSync(file).length === 0 ? [] : readZonesOf(file);
  });
}

function beginExport(directory: string): void {
  if (existsSync(join(directory, unfinishedFile))) {
    if (!isMarked(directory)) return;
    throw new StartError(
      `${directory} holds everything already: start gatehouse serve on it, or choose a directory that does not exist`,
    );
  }
  checkDataDirectory(directory, 'nothing');
  createPrivateFile(join(directory, unfinishedFile), '');
}

/** Version 0.1.0 had events in objects. */
function checkEventsMoved(directory: string): void {
  if (existsSync(join(directory, 'events', 'moved-from-0.1.0'))) return;
  throw new StartError(
    `${directory} was not opened by this version yet: start gatehouse serve on it once, stop it, then import`,
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
