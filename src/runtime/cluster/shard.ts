/**
 * One database of the cluster, with this host's part of it: a lease of its own, the claims under it, and their commits.
 * A database that does not respond stops only the objects in it: no shard waits for another.
 */
import {
  type DatabaseUrl,
  type ListedDatabase,
  type RecordedList,
  describeUrl,
} from './databases/database-list.ts';
import { DatabaseError } from './errors.ts';
import { createLeaseKeeper } from './leases/keep-leases.ts';
import type { LeaseClock } from './lease-clock.ts';
import { Claims } from './ownership/claims.ts';
import { Committer } from './ownership/committer.ts';
import type { HostSeen, NewHost } from './ownership/lease-database.ts';
import { waitForOthers } from './ownership/wait-for-others.ts';
import { Membership } from './ownership/membership.ts';
import { ActivityStore } from './postgres/activity-store.ts';
import { ObjectStore } from './postgres/object-store.ts';
import { PostgresDatabase } from './postgres/postgres-database.ts';
import { addSchema } from './postgres/schema-name.ts';
import type { JoinPurpose } from './postgres/schema.ts';

export interface ShardParts {
  readonly clusterName: string;
  readonly schema: string | undefined;
  /** The code that its objects run; undefined if hosts may differ. */
  readonly code: string | undefined;
  readonly purpose: JoinPurpose;
  readonly clock: LeaseClock;
  readonly leaseMs: number;
  /** Processor time without a turn of the event loop after which this host gives up its lease. */
  readonly stuckMs: number;
  readonly waitMs: number;
  /** Where other hosts reach this one; empty if they cannot. */
  readonly address: () => string;
  /** How many objects this host has, in all databases. */
  readonly load: () => number;
  /** Every claim in this database is lost. */
  readonly onLost: (cause: Error) => void;
  readonly onHosts: (shard: Shard, hosts: readonly HostSeen[]) => void;
  readonly log: (message: string, error?: unknown) => void;
}

export class Shard {
  readonly name: string;
  /** Its location, without user and password. */
  readonly label: string;
  readonly store: ObjectStore;
  readonly activity: ActivityStore;
  readonly membership: Membership;
  readonly claims: Claims;
  readonly commits: Committer;
  readonly #parts: ShardParts;
  readonly #database: PostgresDatabase;
  #secret: Buffer | undefined;
  #isFilling = false;
  #list: readonly ListedDatabase[] = [];

  constructor({ name, url: given }: DatabaseUrl, parts: ShardParts) {
    const url = addSchema(given, parts.schema);
    const { clock, leaseMs, load, onHosts, onLost, stuckMs, waitMs } = parts;
    const log = (message: string, error?: unknown): void => parts.log(`database ${name}: ${message}`, error);
    const database = new PostgresDatabase(url, { clock, leaseMs, waitMs, code: parts.code, log });
    this.name = name;
    this.label = describeUrl(url);
    this.#parts = parts;
    this.#database = database;
    this.store = new ObjectStore(database.pool);
    this.activity = new ActivityStore(database.pool, this.label);
    const membership = new Membership({
      database: {
        join: (host) => this.#join(host),
        beat: (id, report) => database.beat(id, report),
        bury: (id, beat) => database.bury(id, beat),
        leave: (id) => database.leave(id),
      },
      clock,
      keeper: createLeaseKeeper({
        url,
        leaseMs,
        stuckMs,
        onStuck: (busyMs) =>
          log(
            `the objects of this host have computed for ${Math.round(busyMs)} ms without a pause; released its lease`,
          ),
      }),
      leaseMs,
      waitMs,
      address: parts.address,
      load,
      onHosts: (hosts) => onHosts(this, hosts),
      // Lets a host of another code join as soon as this one has left, without waiting for the lease to expire.
      ...(parts.code === undefined
        ? {}
        : { onReplaced: (id: string) => void database.leave(id).catch(() => {}) }),
      onLost: (cause) => {
        this.claims.loseAll(cause);
        onLost(cause);
      },
      log,
    });
    this.membership = membership;
    this.claims = new Claims({ database, membership, clock, waitMs });
    this.commits = new Committer({ database, membership, clock, waitMs });
  }

  /** The secret by which hosts authenticate in this database; undefined before it has responded. */
  get secret(): Buffer | undefined {
    return this.#secret;
  }

  /** Whether a copy that fills this database has not finished. */
  get isFilling(): boolean {
    return this.#isFilling;
  }

  async endFilling(): Promise<void> {
    await this.#database.endFilling();
    this.#isFilling = false;
  }

  /** Creates the tables if they do not exist. Returns what is recorded, or why it could not be read. */
  async open(): Promise<RecordedList | DatabaseError> {
    try {
      const { clusterName, purpose } = this.#parts;
      const { secret, isFilling } = await this.#database.open(clusterName, purpose);
      const list = await this.#database.readList();
      this.#isFilling = isFilling;
      this.#secret = secret;
      return list;
    } catch (error) {
      if (error instanceof DatabaseError) return error;
      throw error;
    }
  }

  recordList(databases: readonly ListedDatabase[]): ReturnType<PostgresDatabase['recordList']> {
    return this.#database.recordList(databases, this.name);
  }

  bury(id: string, beat: number): Promise<boolean> {
    return this.#database.bury(id, beat);
  }

  /** Takes a lease, now, or as soon as the database responds. */
  async join(list: readonly ListedDatabase[], when: 'now' | 'later'): Promise<void> {
    this.#list = list;
    await this.#replaceOtherCode(when);
    if (when === 'now') await this.membership.join();
    else this.membership.joinLater();
  }

  /** From then on, no host of another code can join or renew its lease. */
  async #replaceOtherCode(when: 'now' | 'later'): Promise<void> {
    const { code, clock, leaseMs } = this.#parts;
    if (code === undefined || when === 'later') return;
    await this.#database.takeCode(code);
    await waitForOthers({ database: this.#database, code, clock, leaseMs });
  }

  async leave(): Promise<void> {
    try {
      await this.membership.leave();
    } finally {
      await this.close();
    }
  }

  async close(): Promise<void> {
    this.membership.stop();
    await this.#database.close();
  }

  async #join(host: NewHost): Promise<void> {
    if (this.#secret === undefined) await this.#openLate();
    await this.#database.join(host, Math.max(...this.#list.map(({ generation }) => generation)));
  }

  /** It did not respond when this host started: it may be another database than its name says. */
  async #openLate(): Promise<void> {
    const refuse = (message: string, cause?: unknown): DatabaseError =>
      new DatabaseError(message, { outcome: 'no', reason: 'refused', cause });
    let found: RecordedList | DatabaseError;
    try {
      found = await this.open();
    } catch (error) {
      throw refuse((error as Error).message, error);
    }
    if (found instanceof DatabaseError) throw found;
    if (found.mine === this.name && found.databases.length === this.#list.length) return;
    this.#secret = undefined;
    throw refuse(`the database at ${this.label} is not the database "${this.name}" of this cluster`);
  }
}
