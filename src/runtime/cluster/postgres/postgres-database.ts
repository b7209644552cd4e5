/**
 * A cluster's database on PostgreSQL. Commits have a connection of their own, on which several are pipelined; so has
 * the lease, which must never wait for another statement; all others share a few.
 */
import type { LogDay } from '#objects';
import type { ListedDatabase, LivingHost, RecordedList } from '../databases/database-list.ts';
import { DatabaseError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { connectionsMax, deadHostMs, renewalMsMin } from '../limits.ts';
import type { OtherHost } from '../ownership/wait-for-others.ts';
import type {
  ClaimAnswer,
  CommitAnswer,
  HostReport,
  HostSeen,
  LeaseDatabase,
  NewHost,
  ObjectKey,
  StoredCheckpoint,
  Write,
} from '../ownership/lease-database.ts';
import {
  encodeBoolArray,
  encodeBytesArray,
  encodeFloat8Array,
  encodeInt8Array,
  encodeKeyArray,
} from './binary-arrays.ts';
import { ConnectionPool } from './connection-pool.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { listChangedText, readList, recordList } from './list-records.ts';
import { type ClusterIdentity, dayStatements, type JoinPurpose, openSchema } from './schema.ts';
import { StatementNames } from './statement-names.ts';
import {
  beatStatement,
  buryStatement,
  checkpointStatement,
  claimStatement,
  commitStatement,
  othersStatement,
  ownerStatement,
  releaseHostStatement,
} from './statements.ts';

export interface OwnerSeen {
  readonly host: string;
  readonly beat: number;
  readonly leaseMs: number;
  readonly address: string;
}

const namesLostText =
  'the pooler in front of the database does not support prepared statements; continuing without them, which costs the database more. PgBouncer 1.21 or later supports them with max_prepared_statements = 200';

const answersMixedText =
  'the database of the cluster: received the answer to another commit; a proxy between this host and the database must keep the order of messages';

const otherCodeText =
  'hosts with another version of the code have the objects; this host joins once it has that version too';

/** Numbers repeat after this many, far more than are in transit at the same time. */
const commitNumbers = 2 ** 31;

interface CommitRow {
  readonly number: number;
  readonly leased: number;
  readonly done: readonly number[];
}

/** One database of a cluster. Its `join` also takes the generation of the list of databases. */
export class PostgresDatabase implements Omit<LeaseDatabase, 'join'> {
  readonly pool: ConnectionPool;
  readonly #commits: PostgresConnection;
  readonly #lease: PostgresConnection;
  #commitNumber = 0;
  #purpose: JoinPurpose = 'serve';
  readonly #code: string;

  constructor(
    url: string,
    {
      clock,
      leaseMs,
      waitMs: answerMs,
      code = '',
      log,
    }: {
      readonly clock: LeaseClock;
      readonly leaseMs: number;
      readonly waitMs: number;
      /** The code that the objects of this host run, if all hosts must run the same. */
      readonly code?: string | undefined;
      readonly log: (message: string) => void;
    },
  ) {
    this.#code = code;
    const names = new StatementNames(() => log(namesLostText));
    this.#commits = new PostgresConnection(url, { clock, answerMs, isPipelined: true, names });
    // A renewal that is answered after the lease has expired is useless, and a lost connection must be noticed earlier.
    this.#lease = new PostgresConnection(url, { clock, answerMs: Math.max(leaseMs, renewalMsMin), names });
    this.pool = new ConnectionPool(url, { clock, answerMs, names, size: connectionsMax });
  }

  async open(name: string, purpose: JoinPurpose = 'serve'): Promise<ClusterIdentity> {
    this.#purpose = purpose;
    return await openSchema(this.#lease, name, purpose);
  }

  /** Marks the copy that fills the cluster as complete. */
  async endFilling(): Promise<void> {
    await this.#lease.query({ text: 'UPDATE gatehouse.cluster SET filling = false' });
  }

  readList(): Promise<RecordedList> {
    return readList(this.#lease);
  }

  recordList(databases: readonly ListedDatabase[], mine: string): Promise<LivingHost[]> {
    return recordList(this.#lease, databases, mine);
  }

  /** A host that adds a database to the cluster waits for this one, or vice versa. */
  async join({ id, leaseMs, address }: NewHost, generation: number): Promise<void> {
    const joined = await this.#lease.query({
      text: `INSERT INTO gatehouse.host (id, beat, until, lease_ms, dead, address, load, leaving, code)
        SELECT $1, 0, clock_timestamp() + $2::float8 * interval '1 millisecond', $2::int4, false, $3, 0, false, $6::text
        FROM gatehouse.cluster c WHERE c.generation = $4::int4 AND (NOT c.filling OR $5::bool)
          AND ($6::text = '' OR c.code = $6::text AND NOT EXISTS (
            SELECT 1 FROM gatehouse.host o WHERE NOT o.dead AND o.code <> $6::text))
        FOR SHARE OF c
        RETURNING id`,
      values: [id, leaseMs, address, generation, this.#purpose === 'fill', this.#code],
    });
    if (joined.length === 0)
      throw new DatabaseError(this.#code === '' ? listChangedText : otherCodeText, {
        outcome: 'no',
        reason: 'refused',
      });
    await this.#lease.query({
      text: `DELETE FROM gatehouse.host WHERE dead AND until < clock_timestamp() - $1::float8 * interval '1 millisecond'`,
      values: [deadHostMs],
    });
  }

  /** From then on, hosts of another code cannot renew their leases. */
  async takeCode(code: string): Promise<void> {
    await this.#lease.query({
      text: 'UPDATE gatehouse.cluster SET code = $1 WHERE code <> $1',
      values: [code],
    });
  }

  /** Hosts of another code that are not declared dead. */
  async listOthers(code: string): Promise<OtherHost[]> {
    return await this.#lease.query<OtherHost>({ text: othersStatement, values: [code] });
  }

  async beat(
    id: string,
    { leaseMs, load, isLeaving, isLooking }: HostReport,
  ): Promise<HostSeen[] | 'renewed' | 'declared dead'> {
    const rows = await this.#lease.query<HostSeen & { readonly alive: number }>({
      name: 'beat',
      text: beatStatement,
      values: [id, leaseMs, load, isLeaving, isLooking],
    });
    if (rows.length === 0 || rows[0]!.alive === 0) return 'declared dead';
    return isLooking ? rows.filter((row) => row.id !== id) : 'renewed';
  }

  async bury(id: string, beat: number): Promise<boolean> {
    return (await this.#lease.query({ text: buryStatement, values: [id, beat] })).length === 1;
  }

  async leave(id: string): Promise<void> {
    await this.#lease.query({ text: releaseHostStatement, values: [id] });
  }

  async claim(host: string, object: ObjectKey): Promise<ClaimAnswer> {
    const key = Buffer.from(object, 'latin1');
    return await this.pool.use(async (connection) => {
      const [claimed] = await connection.query<Record<'epoch' | 'sequence' | 'wrote', number>>({
        name: 'claim',
        text: claimStatement,
        values: [host, key],
      });
      if (claimed === undefined) {
        const [owner] = await connection.query<OwnerSeen>({ text: ownerStatement, values: [key] });
        // Either this host's own lease has expired, or the other host has just been declared dead: try again.
        if (owner === undefined || owner.host === host) return { result: 'unleased' };
        return { result: 'elsewhere', ...owner };
      }
      const [checkpoint] =
        claimed.sequence === 0
          ? []
          : await connection.query<StoredCheckpoint>({
              name: 'checkpoint',
              text: checkpointStatement,
              values: [key],
            });
      return { result: 'claimed', ...claimed, checkpoint };
    });
  }

  async commit(host: string, day: LogDay, writes: readonly Write[]): Promise<CommitAnswer> {
    const hasFacts = writes.some(({ name, alarm }) => name !== undefined || alarm !== undefined);
    const values: unknown[] = [
      host,
      encodeKeyArray(writes.map(({ object }) => object)),
      encodeInt8Array(writes.map(({ epoch }) => epoch)),
      encodeInt8Array(writes.map(({ sequence }) => sequence)),
      encodeFloat8Array(writes.map(({ time }) => time)),
      encodeBytesArray(writes.map(({ payload }) => payload)),
    ];
    if (hasFacts) {
      values.push(
        encodeBytesArray(writes.map(({ name }) => (name === undefined ? null : Buffer.from(name)))),
        encodeBoolArray(writes.map(({ alarm }) => alarm !== undefined)),
        encodeFloat8Array(writes.map(({ alarm }) => alarm ?? null)),
      );
    }
    this.#commitNumber = (this.#commitNumber + 1) % commitNumbers;
    const number = this.#commitNumber;
    const [answer] = await this.#commits.query<CommitRow>({
      name: `commit${hasFacts ? '_facts' : ''}_${day}`,
      text: commitStatement(day, hasFacts),
      values: [...values, number],
    });
    if (answer?.number !== number) {
      // It is unknown to which commit the answer belongs: other answers on this connection are equally unreliable.
      this.#commits.giveUp();
      throw new DatabaseError(answersMixedText, { outcome: 'unknown', reason: 'away' });
    }
    const done = writes.map(() => false);
    for (const ordinal of answer.done) done[ordinal - 1] = true;
    return { isLeased: answer.leased === 1, done };
  }

  async createDay(day: LogDay): Promise<void> {
    await this.pool.use(async (connection) => {
      for (const text of dayStatements(day)) await connection.query({ text });
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.#commits.close(), this.#lease.close(), this.pool.close()]);
  }
}
