/**
 * Determines which databases a cluster has, or records them: the first host that is given several makes them one
 * cluster, and one that is given more than are recorded adds them. All hosts must agree, so a database is added while
 * none runs: each of them needs its URL anyway.
 */
import { ClusterMismatchError, DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { claimLeases, retryMsMax } from '../limits.ts';
import type { ListedDatabase, LivingHost, RecordedList } from './database-list.ts';

/** A database whose URL was given, with what it records. */
export interface GivenDatabase {
  readonly name: string;
  /** What it records, or why it could not be read. */
  readonly found: RecordedList | DatabaseError;
  record(databases: readonly ListedDatabase[]): Promise<LivingHost[]>;
  bury(host: LivingHost): Promise<boolean>;
}

/** Returns the databases of the cluster, which are exactly the given ones. */
export async function agreeOnList(
  given: readonly GivenDatabase[],
  clock: LeaseClock,
): Promise<readonly ListedDatabase[]> {
  for (const { name, found } of given) {
    if (found instanceof DatabaseError || found.mine === undefined || found.mine === name) continue;
    throw new ClusterMismatchError(
      `cannot use the database "${name}": it calls itself "${found.mine}"; put its own name behind its URL`,
    );
  }
  const recorded = findRecorded(given);
  refuseMissing(recorded, given);
  const generation = Math.max(0, ...recorded.map((each) => each.generation)) + 1;
  const added = given.filter(({ name }) => recorded.every((each) => each.name !== name));
  const list = [...recorded, ...added.map(({ name }) => ({ name, generation }))];
  const isRecorded = ({ found }: GivenDatabase): boolean =>
    found instanceof DatabaseError ? added.length === 0 : found.databases.length === list.length;
  if (given.every(isRecorded)) return list;
  for (const each of given) if (each.found instanceof DatabaseError) throw each.found;
  refuseUsed(added, recorded.length + added.length);
  // Existing databases come first, so that two hosts that add different ones meet at the same database.
  const order = list.map(({ name }) => given.find((each) => each.name === name)!);
  for (const database of order) await recordAt(database, list, clock);
  return list;
}

/** The longest list: another may lack databases if a host ended while it was adding them. */
function findRecorded(given: readonly GivenDatabase[]): readonly ListedDatabase[] {
  const lists = given.flatMap(({ found }) => (found instanceof DatabaseError ? [] : [found.databases]));
  const longest = lists.reduce<readonly ListedDatabase[]>(
    (best, each) => (each.length > best.length ? each : best),
    [],
  );
  const isPart = (each: ListedDatabase): boolean =>
    longest.some(({ name, generation }) => name === each.name && generation === each.generation);
  if (lists.some((list) => !list.every(isPart))) {
    throw new ClusterMismatchError(
      'cannot join the cluster: the databases that were given belong to different clusters; give the databases of one cluster',
    );
  }
  return longest;
}

function refuseMissing(recorded: readonly ListedDatabase[], given: readonly GivenDatabase[]): void {
  const missing = recorded.filter(({ name }) => given.every((each) => each.name !== name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => `"${name}"`).join(', ');
  throw new ClusterMismatchError(
    `cannot join the cluster: it has objects in the database ${names}, whose URL was not given; give the URLs of all its databases`,
  );
}

function refuseUsed(added: readonly GivenDatabase[], count: number): void {
  const used = added.find(({ found }) => !(found instanceof DatabaseError) && found.isUsed);
  if (used === undefined || count === 1) return;
  throw new ClusterMismatchError(
    `cannot add the database "${used.name}" to the cluster: it has objects in it that would not be found; add one that is empty`,
  );
}

/** Unresponsive hosts are declared dead first, as hosts do with each other. */
async function recordAt(
  database: GivenDatabase,
  list: readonly ListedDatabase[],
  clock: LeaseClock,
): Promise<void> {
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  const begunAt = clock.now();
  for (;;) {
    const living = await database.record(list);
    if (living.length === 0) return;
    const now = clock.now();
    for (const host of living) {
      const before = seen.get(host.id);
      if (before === undefined) seen.set(host.id, { beat: host.beat, since: now });
      else if (before.beat !== host.beat) throw createRunningError(host);
      else if (host.isOver && now - before.since >= host.leaseMs) await database.bury(host);
      if (now - begunAt > claimLeases * host.leaseMs) throw createRunningError(host);
    }
    await new Promise<void>((resolve) => void clock.setTimer(retryMsMax, resolve));
  }
}

function createRunningError({ id }: LivingHost): ClusterMismatchError {
  return new ClusterMismatchError(
    `cannot add a database to the cluster while its host ${id} runs, which does not know it; stop all hosts, then start them with the URLs of all databases`,
  );
}
