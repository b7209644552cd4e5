/** A host's place in a cluster: its leases, its objects, their commits, and their data in the databases. */
import { hkdfSync } from 'node:crypto';
import type { CommitQueue, Position } from '#journal';
import type {
  ClusterPort,
  ClusterService,
  Fence,
  LogDay,
  ObjectClaim,
  ObjectFacts,
  Owner,
  RoutedObject,
} from '#objects';
import { type LinkEntry, type Stub, createStub as createRpcStub, LocalEntry, outside } from '#rpc';
import { createHostEntry } from './calls/host-entry.ts';
import { Peers } from './calls/peers.ts';
import { ClusterRouter } from './calls/cluster-router.ts';
import { agreeOnList } from './databases/agree-on-list.ts';
import { DatabaseList, type ListedDatabase, readDatabaseUrls } from './databases/database-list.ts';
import { Places } from './databases/places.ts';
import { askThoseThatAnswer, mergeByKey } from './databases/several.ts';
import { DatabaseError } from './errors.ts';
import { ClaimedObject } from './claimed-object.ts';
import { type LeaseClock, systemLeaseClock } from './lease-clock.ts';
import {
  busyLeases,
  handOverMsMax,
  leaseMsDefault,
  retryMsMin,
  stuckMsDefault,
  waitMsDefault,
} from './limits.ts';
import { checkOptions, type ClusterOptions } from './options.ts';
import type { Membership } from './ownership/membership.ts';
import type { ActivityLogRows } from './postgres/activity-store.ts';
import type { FactRow } from './postgres/object-store.ts';
import { Shard } from './shard.ts';

/** Joins the cluster of one or several databases, which is created if they are empty. */
export async function joinCluster(options: ClusterOptions): Promise<Cluster> {
  checkOptions(options);
  return await Cluster.join(options);
}

export class Cluster implements ClusterPort {
  readonly label: string;
  /** @internal In the order in which they became part of the cluster. */
  readonly shards: readonly Shard[];
  /** The clock that measures leases. */
  readonly clock: LeaseClock = systemLeaseClock;
  /** What other hosts may call here, by name. */
  readonly #offers = new Map<string, object>();
  readonly #places: Places;
  readonly #router: ClusterRouter | undefined;
  readonly #peers: Peers | undefined;
  readonly #events: { onLost: (cause: Error) => void };

  private constructor(
    shards: readonly Shard[],
    list: readonly ListedDatabase[],
    parts: {
      readonly peers: Peers | undefined;
      readonly events: { onLost: (cause: Error) => void };
      readonly waitMs: number;
    },
  ) {
    const clock = systemLeaseClock;
    const { waitMs } = parts;
    this.shards = shards;
    this.label = shards.map(({ label }) => label).join(', ');
    this.#peers = parts.peers;
    this.#events = parts.events;
    this.#places = new Places({ list: new DatabaseList(list), shards, clock, waitMs });
    if (parts.peers === undefined) return;
    const load = (): number => this.objectCount;
    this.#router = new ClusterRouter({ places: this.#places, peers: parts.peers, clock, waitMs, load });
  }

  /** @internal */
  static async join(options: ClusterOptions): Promise<Cluster> {
    const { url, name = nameDefault, leaseMs = leaseMsDefault, waitMs = waitMsDefault } = options;
    const { listen, log = () => {}, purpose = 'serve', stuckMs = stuckMsDefault, schema, code } = options;
    const clock = systemLeaseClock;
    const events = { onLost: (_cause: Error): void => {} };
    let peers: Peers | undefined;
    const load = (): number => shards.reduce((sum, { claims }) => sum + claims.size, 0);
    const shards: Shard[] = readDatabaseUrls(url).map(
      (database) =>
        new Shard(database, {
          clusterName: name,
          schema,
          code,
          purpose,
          clock,
          leaseMs,
          stuckMs,
          waitMs,
          address: () => peers?.address ?? '',
          load,
          onLost: (cause) => events.onLost(cause),
          onHosts: (shard, hosts) => peers?.retain(shard.name, new Set(hosts.map(({ id }) => id))),
          log,
        }),
    );
    try {
      const found = await Promise.all(shards.map((shard) => shard.open()));
      const list = await agreeOnList(
        shards.map((shard, index) => ({
          name: shard.name,
          found: found[index]!,
          record: (databases) => shard.recordList(databases),
          bury: ({ id, beat }) => shard.bury(id, beat),
        })),
        clock,
      );
      if (listen !== undefined) {
        const ids = (): string[] => shards.map(({ membership }) => membership.id).filter((id) => id !== '');
        const secretOf = (id: string): Buffer | undefined =>
          shards.find(({ membership }) => membership.id === id)?.secret;
        const isBusy = (id: string): boolean =>
          shards.some(({ membership }) =>
            membership.hosts.some((host) => host.id === id && host.busyMs > busyLeases * host.leaseMs),
          );
        peers = await Peers.listen(listen, { clock, leaseMs, ids, secretOf, isBusy, log });
      }
      const ordered = list.map((listed) => shards.find((shard) => shard.name === listed.name)!);
      for (const shard of ordered) {
        const answer = found[shards.indexOf(shard)];
        const isAway = answer instanceof DatabaseError;
        // Without an answer it is unknown whether hosts of another code have objects in this database.
        if (isAway && code !== undefined) throw answer;
        await shard.join(list, isAway ? 'later' : 'now');
        if (isAway) log(`database ${shard.name} does not answer; its objects wait for it`);
      }
      return new Cluster(ordered, list, { peers, events, waitMs });
    } catch (error) {
      peers?.close();
      await Promise.all(shards.map((shard) => shard.close()));
      throw error;
    }
  }

  /** This host's lease in the first database. */
  get fence(): Membership {
    return this.shards[0]!.membership;
  }

  /** Where other hosts reach this one; empty if they cannot. */
  get address(): string {
    return this.#peers?.address ?? '';
  }

  /** The address this host listens on, whatever it advertises; empty if it does not listen. */
  get localAddress(): string {
    return this.#peers?.localAddress ?? '';
  }

  /** The id of this host in the first database; it changes after the host was declared dead. */
  get hostId(): string {
    return this.fence.id;
  }

  /** The ids of the other hosts that are not declared dead and can be called, as last seen. */
  get otherHosts(): string[] {
    return this.fence.hosts.filter(({ address }) => address !== '').map(({ id }) => id);
  }

  /** Refreshes the list of hosts now, instead of with the next beat. */
  async lookForHosts(): Promise<void> {
    const renew = (): Promise<unknown> =>
      Promise.all(this.shards.map(({ membership }) => membership.renew()));
    // A beat in progress may have been answered already.
    await renew();
    await renew();
  }

  /** Lets other hosts call an object of this process by a name. */
  offer(name: string, target: object): void {
    this.#offers.set(name, target);
  }

  #findOffered(name: string): object {
    const target = this.#offers.get(name);
    if (target === undefined) throw new TypeError(`this host offers nothing under the name ${name}`);
    return target;
  }

  /** A stub of what another host offers under this name. Rejects if the host cannot be reached. */
  async findOffer(host: string, name: string): Promise<Stub> {
    const { name: database, secret } = this.shards[0]!;
    const seen = this.fence.hosts.find(({ id, address }) => id === host && address !== '');
    if (seen === undefined || secret === undefined || this.#peers === undefined)
      throw new Error(`host ${host} is no longer part of the cluster`);
    const link = await this.#peers.linkTo({ id: host, address: seen.address, database, secret });
    return createRpcStub(link.entry({ service: name }), outside, { own: {} });
  }

  /** A key that every host of this cluster derives, and that cannot be derived without its first database. */
  deriveKey(purpose: string): Buffer {
    const { name, secret } = this.shards[0]!;
    if (secret === undefined) {
      throw new DatabaseError(`the database "${name}" of the cluster does not answer, and has its secret`, {
        outcome: 'no',
        reason: 'away',
      });
    }
    return Buffer.from(hkdfSync('sha256', secret, '', `gatehouse ${purpose}`, 32));
  }

  /** Whether this host joined to fill the cluster, which had no objects or was being filled before. */
  get isFilling(): boolean {
    return this.shards.some(({ isFilling }) => isFilling);
  }

  /** Marks the cluster as complete: other hosts may join. */
  async endFilling(): Promise<void> {
    for (const shard of this.shards) await shard.endFilling();
  }

  /** The number of objects of this host. */
  get objectCount(): number {
    return this.shards.reduce((sum, { claims }) => sum + claims.size, 0);
  }

  get failures(): number {
    return this.shards.reduce((sum, { commits }) => sum + commits.failures, 0);
  }

  begin({ onLost }: { readonly onLost: (cause: Error) => void }): void {
    this.#events.onLost = onLost;
  }

  /** An object whose database is unknown has nothing to record. */
  commitsOf(owner: Owner): CommitQueue {
    return (this.#places.find(owner) ?? this.shards[0]!).commits;
  }

  fenceOf(owner: Owner): Fence {
    return this.#places.fenceOf(owner);
  }

  async flush(): Promise<void> {
    await Promise.all(this.shards.map(({ commits }) => commits.flush()));
  }

  /** An unavailable database stops its objects, not this host. */
  async probe(): Promise<void> {
    await askThoseThatAnswer(this.shards, ({ commits }) => commits.probe());
  }

  serve({ resolve, createStub }: ClusterService): void {
    this.#peers?.serve({
      openEntry: (address) => {
        const router = this.#router!;
        const { alive, hops = '1', leaving, service } = address;
        if (alive !== undefined) return createHostEntry();
        if (leaving !== undefined) return createHostEntry(() => router.hostsLeave(leaving.split(' ')));
        if (service !== undefined) return new LocalEntry(() => this.#findOffered(service));
        return router.route(resolve(address), Number(hops));
      },
      createEntryStub: createStub,
    });
  }

  route(object: RoutedObject): LinkEntry {
    return this.#router?.route(object) ?? object.open();
  }

  async claim(owner: Owner): Promise<ObjectClaim> {
    const { claims, commits: committer, membership, store } = await this.#places.locate(owner);
    const claimed = await claims.claim(owner);
    return new ClaimedObject(claimed, { host: membership.id, claims, committer, store });
  }

  /** Takes over a log of frames and blocks, or creates it: from now on, no host that took it before can write to it. */
  async takeLog(name: string): Promise<ActivityLogRows> {
    const { activity } = await this.#places.locate(`log ${name}`, (shard) => shard.activity.has(name));
    return await activity.take(name);
  }

  /** The first database assigns the numbers of classes; the others keep copies for when it is unavailable. */
  async recordedClasses(): ReturnType<ClusterPort['recordedClasses']> {
    const [first, ...others] = this.shards as [Shard, ...Shard[]];
    try {
      const classes = await first.store.recordedClasses();
      await this.#copyClasses(classes, others);
      return classes;
    } catch (error) {
      if (!(error instanceof DatabaseError) || others.length === 0) throw error;
      const copies = await askThoseThatAnswer(others, ({ store }) => store.recordedClasses());
      return new Map(copies.flatMap((copy) => [...copy]));
    }
  }

  async recordClass(key: string, name: string): Promise<number> {
    const [first, ...others] = this.shards as [Shard, ...Shard[]];
    const number = await first.store.recordClass(key, name);
    await this.#copyClasses([[key, { number, name }]], others);
    return number;
  }

  /** An unavailable database gets its copy from a host that starts when it is available again. */
  async #copyClasses(
    classes: Iterable<readonly [key: string, { readonly number: number; readonly name: string }]>,
    shards: readonly Shard[],
  ): Promise<void> {
    const answering = shards.filter(({ membership }) => membership.holds);
    await Promise.allSettled(
      answering.flatMap(({ store }) => Array.from(classes, ([key, each]) => store.copyClass(key, each))),
    );
  }

  async *listObjects(classNumber: number): AsyncGenerator<ObjectFacts> {
    const prefix = String.fromCharCode(classNumber & 0xff, classNumber >> 8);
    const lists = this.shards.map(({ store }) => store.listObjects(prefix));
    for await (const row of mergeByKey(lists)) yield toFacts(row);
  }

  async factsOf(owner: Owner): Promise<ObjectFacts | undefined> {
    const { store } = await this.#places.locate(owner);
    const row = await store.factOf(owner);
    return row === undefined ? undefined : toFacts(row);
  }

  async *listAlarms(): AsyncGenerator<readonly [owner: Owner, time: number]> {
    for (const { store } of this.shards)
      for await (const { object, alarm } of store.listAlarms()) yield [object as Owner, alarm!];
  }

  async findOrphanAlarms(dueBy: number): Promise<Array<readonly [owner: Owner, time: number]>> {
    const lists = await askThoseThatAnswer(this.shards, ({ store }) => store.orphanAlarms(dueBy));
    const rows = lists.flat().toSorted((a, b) => a.alarm! - b.alarm!);
    return rows.map(({ object, alarm }) => [object as Owner, alarm!]);
  }

  async readTime(): Promise<number> {
    return Math.min(...(await askThoseThatAnswer(this.shards, ({ store }) => store.readTime())));
  }

  /** The days of the databases that respond; those of the others are dropped another time. */
  async listDaysBefore(time: number): Promise<LogDay[]> {
    const lists = await askThoseThatAnswer(this.shards, ({ store }) => store.daysBefore(time));
    return [...new Set(lists.flat())].toSorted();
  }

  async *listUnsettled(day: LogDay): AsyncGenerator<{ readonly owner: Owner; readonly last: Position }> {
    for (const { store } of this.shards) {
      if (!store.hasDay(day)) continue;
      for await (const { object, last } of store.unsettled(day))
        yield { owner: object as Owner, last: last as Position };
    }
  }

  async dropDay(day: LogDay): Promise<boolean> {
    let isDropped = true;
    for (const { store } of this.shards)
      if (store.hasDay(day)) isDropped = (await store.dropDay(day)) && isDropped;
    return isDropped;
  }

  async beginLeaving(): Promise<boolean> {
    if (this.#router === undefined) return false;
    await Promise.all(this.shards.map(({ membership }) => membership.beginLeaving()));
    const isTakenOver = this.shards.some(({ membership }) =>
      membership.hosts.some(({ address, isLeaving, isOver }) => address !== '' && !isLeaving && !isOver),
    );
    if (isTakenOver) this.#router.beginDraining();
    return isTakenOver;
  }

  async endLeaving(): Promise<void> {
    const clock = systemLeaseClock;
    const begunAt = clock.now();
    const pause = (): Promise<void> => new Promise((resolve) => void clock.setTimer(retryMsMin, resolve));
    const isLate = (): boolean => clock.now() - begunAt > handOverMsMax;
    let isTold = false;
    // Not awaited: a pending promise must not keep the process from exiting.
    void this.#peers!.announceLeaving().then(() => (isTold = true));
    await this.#waitUntil(() => isTold || isLate(), pause);
    await this.#waitUntil(() => this.#router!.callsOpen === 0 || isLate(), pause);
  }

  async #waitUntil(isSo: () => boolean, pause: () => Promise<void>): Promise<void> {
    while (!isSo()) await pause();
  }

  async leave(): Promise<void> {
    this.#peers?.close();
    const results = await Promise.allSettled(this.shards.map((shard) => shard.leave()));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}

const nameDefault = 'gatehouse';

function toFacts({ object, name, alarm }: FactRow): ObjectFacts {
  return { owner: object as Owner, name, alarm };
}
