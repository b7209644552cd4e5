/** A host's place in a cluster: its lease, its objects, their commits, and what the database keeps of them. */
import { hkdfSync } from 'node:crypto';
import type { ClusterPort, ClusterService, LogDay, ObjectClaim, ObjectFacts, RoutedObject } from '#objects';
import { type Entry, type Stub, createStub, outside } from '#rpc';
import { LeavingEntry } from './calls/leaving-entry.ts';
import { OfferedEntry } from './calls/offered-entry.ts';
import { type Listen, Peers } from './calls/peers.ts';
import { Router } from './calls/router.ts';
import { ClusterDatabaseError } from './errors.ts';
import { HeldObject } from './held-object.ts';
import { type LeaseClock, systemLeaseClock } from './lease-clock.ts';
import { handOverMsMax, leaseMsDefault, leaseMsMin, retryMsMin } from './limits.ts';
import { Claims } from './ownership/claims.ts';
import { Committer } from './ownership/committer.ts';
import { Membership } from './ownership/membership.ts';
import { type FactRow, ObjectStore } from './postgres/object-store.ts';
import { PostgresDatabase } from './postgres/postgres-database.ts';

type Owner = ObjectFacts['owner'];
type Position = ObjectClaim['position'];

export interface ClusterOptions {
  /** `postgres://user:password@machine:port/database`. */
  readonly url: string;
  /** What the cluster is called; a database holds one. `gatehouse` by default. */
  readonly name?: string;
  /** How long a host that shows no sign of life keeps its objects, two seconds by default. */
  readonly leaseMs?: number;
  /**
   * Where this host answers calls of the others, so that every object can be reached from every host. Without it, this host
   * reaches only objects of its own.
   */
  readonly listen?: Listen;
  /** Where warnings go; nowhere by default. */
  readonly log?: (message: string, error?: unknown) => void;
}

/** Joins the cluster of a database, which is made if the database is empty. */
export async function joinCluster(options: ClusterOptions): Promise<Cluster> {
  checkOptions(options);
  return await Cluster.join(options);
}

export class Cluster implements ClusterPort {
  readonly label: string;
  readonly commits: Committer;
  readonly fence: Membership;
  /** What leases are measured by. */
  readonly clock: LeaseClock = systemLeaseClock;
  readonly #database: PostgresDatabase;
  readonly #secret: Buffer;
  /** What other hosts may call here, by name. */
  readonly #offers = new Map<string, object>();
  readonly #claims: Claims;
  readonly #store: ObjectStore;
  readonly #router: Router | undefined;
  readonly #peers: Peers | undefined;
  #onLost: ((cause: Error) => void) | undefined;

  private constructor(
    options: ClusterOptions,
    { database, peers, secret }: { database: PostgresDatabase; peers: Peers | undefined; secret: Buffer },
  ) {
    const { url, leaseMs = leaseMsDefault, log = () => {} } = options;
    const clock = systemLeaseClock;
    this.label = describeUrl(url);
    this.#database = database;
    this.#secret = secret;
    this.#store = new ObjectStore(database.pool);
    this.#peers = peers;
    const onLost = (cause: Error): void => {
      this.#claims.loseAll(cause);
      this.#onLost?.(cause);
    };
    const membership = new Membership({
      database,
      clock,
      leaseMs,
      address: peers?.address ?? '',
      onLost,
      load: () => this.objectCount,
      onHosts: (hosts) => peers?.retain(new Set(hosts.map(({ id }) => id))),
      log,
    });
    this.fence = membership;
    this.#claims = new Claims({ database, membership, clock });
    this.commits = new Committer({ database, membership, clock });
    if (peers === undefined) return;
    const findOwner = async (object: string): Promise<string | undefined> =>
      (await this.#store.ownerOf(object))?.host;
    this.#router = new Router({ membership, claims: this.#claims, peers, clock, findOwner });
  }

  /** @internal */
  static async join(options: ClusterOptions): Promise<Cluster> {
    const database = new PostgresDatabase(options.url, systemLeaseClock);
    let peers: Peers | undefined;
    try {
      const { secret } = await database.open(options.name ?? nameDefault);
      const id = (): string => cluster.fence.id;
      if (options.listen !== undefined)
        peers = await Peers.listen(options.listen, { secret, clock: systemLeaseClock, id });
      const cluster = new Cluster(options, { database, peers, secret });
      await cluster.fence.join();
      return cluster;
    } catch (error) {
      peers?.close();
      await database.close();
      throw error;
    }
  }

  /** Where other hosts reach this one; empty if they do not. */
  get address(): string {
    return this.#peers?.address ?? '';
  }

  /** The id of this host; another one after it was taken for dead. */
  get hostId(): string {
    return this.fence.id;
  }

  /** The ids of the other hosts that were not declared dead and can be called, as they were seen last. */
  get otherHosts(): string[] {
    return this.fence.hosts.filter(({ address }) => address !== '').map(({ id }) => id);
  }

  /** Looks which hosts there are, instead of with the next beat. */
  async lookForHosts(): Promise<void> {
    // A beat that is under way may have been answered already.
    await this.fence.renew();
    await this.fence.renew();
  }

  /** Lets other hosts call an object of this process by a name. */
  offer(name: string, target: object): void {
    this.#offers.set(name, target);
  }

  /** A stub of what another host offers under this name. Rejects if the host cannot be reached. */
  async findOffer(host: string, name: string): Promise<Stub> {
    const seen = this.fence.hosts.find(({ id, address }) => id === host && address !== '');
    if (seen === undefined || this.#peers === undefined)
      throw new Error(`host ${host} is no longer part of the cluster`);
    const link = await this.#peers.linkTo(seen);
    return createStub(link.entry({ service: name }), outside, { own: {} });
  }

  /** A key that every host of this cluster derives, and nobody else who does not know its database. */
  deriveKey(purpose: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#secret, '', `gatehouse ${purpose}`, 32));
  }

  /** How many objects this host has. */
  get objectCount(): number {
    return this.#claims.size;
  }

  get failures(): number {
    return this.commits.failures;
  }

  begin({ onLost }: { readonly onLost: (cause: Error) => void }): void {
    this.#onLost = onLost;
  }

  serve({ resolve, createStub }: ClusterService): void {
    this.#peers?.serve({
      openEntry: (address) => {
        const router = this.#router!;
        const { hops = '1', leaving, service } = address;
        if (leaving !== undefined) return new LeavingEntry(() => router.hostLeaves(leaving));
        if (service !== undefined) return new OfferedEntry(service, (name) => this.#offers.get(name));
        return router.route(resolve(address), Number(hops));
      },
      createEntryStub: createStub,
    });
  }

  route(object: RoutedObject): Entry {
    return this.#router?.route(object) ?? object.open();
  }

  async claim(owner: Owner): Promise<ObjectClaim> {
    const claimed = await this.#claims.claim(owner);
    return new HeldObject(claimed, {
      host: this.fence.id,
      claims: this.#claims,
      committer: this.commits,
      store: this.#store,
    });
  }

  recordedClasses(): ReturnType<ClusterPort['recordedClasses']> {
    return this.#store.recordedClasses();
  }

  recordClass(key: string, name: string): Promise<number> {
    return this.#store.recordClass(key, name);
  }

  async *listObjects(classNumber: number): AsyncGenerator<ObjectFacts> {
    const prefix = String.fromCharCode(classNumber & 0xff, classNumber >> 8);
    for await (const row of this.#store.listObjects(prefix)) yield toFacts(row);
  }

  async factsOf(owner: Owner): Promise<ObjectFacts | undefined> {
    const row = await this.#store.factOf(owner);
    return row === undefined ? undefined : toFacts(row);
  }

  async *listAlarms(): AsyncGenerator<readonly [owner: Owner, time: number]> {
    for await (const { object, alarm } of this.#store.listAlarms()) yield [object as Owner, alarm!];
  }

  async findOrphanAlarms(dueBy: number): Promise<Array<readonly [owner: Owner, time: number]>> {
    const rows = await this.#store.orphanAlarms(dueBy);
    return rows.map(({ object, alarm }) => [object as Owner, alarm!]);
  }

  listDaysBefore(time: number): Promise<LogDay[]> {
    return this.#store.daysBefore(time);
  }

  async *listUnsettled(day: LogDay): AsyncGenerator<{ readonly owner: Owner; readonly last: Position }> {
    for await (const { object, last } of this.#store.unsettled(day))
      yield { owner: object as Owner, last: last as Position };
  }

  dropDay(day: LogDay): Promise<boolean> {
    return this.#store.dropDay(day);
  }

  async beginLeaving(): Promise<boolean> {
    if (this.#router === undefined) return false;
    await this.fence.beginLeaving();
    return this.fence.hosts.some(({ address, isLeaving, isOver }) => address !== '' && !isLeaving && !isOver);
  }

  async endLeaving(): Promise<void> {
    const clock = systemLeaseClock;
    const begunAt = clock.now();
    const pause = (): Promise<void> => new Promise((resolve) => void clock.setTimer(retryMsMin, resolve));
    const isLate = (): boolean => clock.now() - begunAt > handOverMsMax;
    let isTold = false;
    // Nothing may be left behind that keeps a process from ending.
    void this.#peers!.tellLeaving().then(() => (isTold = true));
    await this.#waitUntil(() => isTold || isLate(), pause);
    await this.#waitUntil(() => this.#router!.callsPassed === 0 || isLate(), pause);
  }

  async #waitUntil(isSo: () => boolean, pause: () => Promise<void>): Promise<void> {
    while (!isSo()) await pause();
  }

  async leave(): Promise<void> {
    this.#peers?.close();
    try {
      await this.fence.leave();
    } finally {
      await this.#database.close();
    }
  }
}

const nameDefault = 'gatehouse';

function toFacts({ object, name, alarm }: FactRow): ObjectFacts {
  return { owner: object as Owner, name, alarm };
}

/** Without user and password. */
function describeUrl(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

function checkOptions({ url, name, leaseMs }: ClusterOptions): void {
  if (typeof url !== 'string' || !URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    // Without the text: it may have a password in it.
    throw new ClusterDatabaseError(
      'url must be the address of a database, such as postgres://user:password@db.internal/gatehouse',
    );
  }
  if (name !== undefined && !/^[\w.-]{1,64}$/.test(name))
    throw new TypeError(`name must be 1 to 64 letters, digits, dots, dashes or underscores: ${name}`);
  if (leaseMs !== undefined && !(leaseMs >= leaseMsMin))
    throw new RangeError(`leaseMs must be at least ${leaseMsMin}: ${leaseMs}`);
}
