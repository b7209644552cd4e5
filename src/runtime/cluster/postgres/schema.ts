/**
 * The tables of a cluster, in a schema of their own, and the checks that a database and a cluster fit together.
 *
 * | table | row |
 * |---|---|
 * | `cluster` | a single row: the identity of the cluster, the format of these tables, the secret by which hosts authenticate |
 * | `host` | a process that is or was part of the cluster; its lease; `code`: what it runs, where all must run the same |
 * | `head` | an object: its host, since which epoch, its newest record and the epoch that wrote it |
 * | `log_<day>` | a record; a table for each day, so that a day is dropped as a whole |
 * | `day` | a day that has a table |
 * | `checkpoint` | where a host that claims an object begins to read its log |
 * | `image` | a piece of a snapshot, of a database to start over from, or of the data of a key-value object |
 * | `fact` | an object's name, and when its alarm is due |
 * | `class` | the number of a class |
 * | `database` | a database of the cluster, and since which generation it is one; `mine`: it is this one |
 * | `activity_log` | a log of frames and blocks besides the objects; `writer`: the host that took it last and may write to it |
 * | `activity_frame` | a frame of such a log: what was received last |
 * | `activity_block` | a block of such a log; `head`: its entry in the index |
 */
import { readDatabaseUrls } from '../databases/database-list.ts';
import { systemLeaseClock } from '../lease-clock.ts';
import { PostgresConnection } from './postgres-connection.ts';
import { addSchema, schemaPattern } from './schema-name.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  ClusterDatabaseError,
  ClusterMismatchError,
  ClusterUnfinishedError,
  DatabaseError,
} from '../errors.ts';
import { isProtocolViolation } from './classify.ts';

/** The format of the tables. A host that knows only an older one does not join. Format 2 has more than one database. */
const formatVersion = 1;
export const formatVersionOfSeveral = 2;
/** Older versions lack features that the statements need. */
const serverVersionMin = 140_000;

/** Hosts are updated constantly, and heads by every commit: their pages have room for the next version of a row. */
const tables = [
  'CREATE SCHEMA IF NOT EXISTS gatehouse',
  `CREATE TABLE IF NOT EXISTS gatehouse.cluster (
    one boolean PRIMARY KEY CHECK (one), id text NOT NULL, name text NOT NULL, format int NOT NULL, secret bytea NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.host (
    id text PRIMARY KEY, beat bigint NOT NULL, until timestamptz NOT NULL, lease_ms int NOT NULL,
    dead boolean NOT NULL, address text NOT NULL) WITH (fillfactor = 10)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.head (
    object bytea PRIMARY KEY, host text, epoch bigint NOT NULL, seq bigint NOT NULL, wrote bigint NOT NULL)
    WITH (fillfactor = 50)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.day (day text PRIMARY KEY)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.checkpoint (
    object bytea PRIMARY KEY, seq bigint NOT NULL, floor bigint NOT NULL, at double precision NOT NULL,
    entry bytea NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.image (
    object bytea, kind text, seq bigint, piece int, bytes bytea NOT NULL, PRIMARY KEY (object, kind, seq, piece))`,
  'ALTER TABLE gatehouse.image ALTER COLUMN bytes SET STORAGE EXTERNAL',
  `CREATE TABLE IF NOT EXISTS gatehouse.fact (object bytea PRIMARY KEY, name bytea, alarm double precision)`,
  `CREATE INDEX IF NOT EXISTS fact_alarm ON gatehouse.fact (alarm) WHERE alarm IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS gatehouse.class (
    key text PRIMARY KEY, number int NOT NULL UNIQUE, name text NOT NULL)`,
  `ALTER TABLE gatehouse.host ADD COLUMN IF NOT EXISTS load int NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS leaving boolean NOT NULL DEFAULT false`,
  'ALTER TABLE gatehouse.cluster ADD COLUMN IF NOT EXISTS generation int NOT NULL DEFAULT 0',
  `CREATE TABLE IF NOT EXISTS gatehouse.database (
    name text PRIMARY KEY, generation int NOT NULL, mine boolean NOT NULL)`,
  'ALTER TABLE gatehouse.host ADD COLUMN IF NOT EXISTS busy_ms int NOT NULL DEFAULT 0',
  'ALTER TABLE gatehouse.cluster ADD COLUMN IF NOT EXISTS filling boolean NOT NULL DEFAULT false',
  `CREATE TABLE IF NOT EXISTS gatehouse.activity_log (
    id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, writer text NOT NULL)
    WITH (fillfactor = 50)`,
  // Frames are removed after some minutes: their space is needed again long before a fraction of the table is dead.
  `CREATE TABLE IF NOT EXISTS gatehouse.activity_frame (
    log int, position bigint, time double precision NOT NULL, payload bytea NOT NULL, PRIMARY KEY (log, position))
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  `CREATE TABLE IF NOT EXISTS gatehouse.activity_block (
    log int, expires double precision, number bigint, start bigint, rows int NOT NULL, last_sequence bigint NOT NULL,
    first_ms double precision NOT NULL, last_ms double precision NOT NULL, head bytea NOT NULL, bytes bytea NOT NULL,
    PRIMARY KEY (log, expires, number, start))`,
  // Payloads are already compressed.
  'ALTER TABLE gatehouse.activity_frame ALTER COLUMN payload SET STORAGE EXTERNAL',
  `ALTER TABLE gatehouse.activity_block ALTER COLUMN head SET STORAGE EXTERNAL,
    ALTER COLUMN bytes SET STORAGE EXTERNAL`,
  "ALTER TABLE gatehouse.cluster ADD COLUMN IF NOT EXISTS code text NOT NULL DEFAULT ''",
  "ALTER TABLE gatehouse.host ADD COLUMN IF NOT EXISTS code text NOT NULL DEFAULT ''",
];

/** Returns a row if the tables exist, with everything that versions of this format have added. */
const newestTableStatement = `SELECT 1 FROM pg_catalog.pg_attribute
  WHERE attrelid = to_regclass('gatehouse.host') AND attname = 'code'`;

/** Marks a cluster without objects as being filled. */
const fillStatement = `UPDATE gatehouse.cluster SET filling = true
  WHERE name = $1 AND NOT filling AND NOT EXISTS (SELECT 1 FROM gatehouse.head WHERE seq > 0)`;

/**
 * A record is stored inline while it fits the page: fetching it from elsewhere costs more than the space. PostgreSQL
 * before 16 cannot set this when it creates a table, and altering a table that hosts write to would block them.
 */
export function dayStatements(day: string): string[] {
  return [
    `DO $$ BEGIN
      IF to_regclass('gatehouse.${day}') IS NULL THEN
        CREATE TABLE gatehouse.${day} (
          object bytea, seq bigint, epoch bigint NOT NULL, at double precision NOT NULL, record bytea NOT NULL,
          PRIMARY KEY (object, seq)) WITH (toast_tuple_target = 8160);
        ALTER TABLE gatehouse.${day} ALTER COLUMN record SET STORAGE MAIN;
      END IF;
    EXCEPTION WHEN duplicate_table OR duplicate_object OR unique_violation THEN
      NULL; -- another host has made it meanwhile
    END $$`,
    `INSERT INTO gatehouse.day (day) VALUES ('${day}') ON CONFLICT DO NOTHING`,
  ];
}

export interface ClusterIdentity {
  readonly id: string;
  readonly name: string;
  readonly secret: Buffer;
  /** Whether a copy that fills it has not finished. */
  readonly isFilling: boolean;
}

/** Why a host joins: to serve the cluster, or to fill one that has no objects with a copy. */
export type JoinPurpose = 'serve' | 'fill';

/**
 * Creates the tables if they do not exist, and refuses a database that does not belong to this cluster. A cluster that
 * is to be filled is marked in the transaction that creates its tables: if that is interrupted at any time, an empty
 * cluster is never mistaken for a complete one.
 */
export async function openSchema(
  connection: PostgresConnection,
  name: string,
  purpose: JoinPurpose,
): Promise<ClusterIdentity> {
  await checkServer(connection);
  await checkTransactions(connection);
  const found = await connection.query({ text: newestTableStatement });
  if (found.length === 0) {
    await connection.transact(async (query) => {
      for (const text of tables) await query({ text });
      await query({
        text: `INSERT INTO gatehouse.cluster (one, id, name, format, secret, filling) VALUES (true, $1, $2, $3, $4, $5)
          ON CONFLICT DO NOTHING`,
        values: [randomUUID(), name, formatVersion, randomBytes(32), purpose === 'fill'],
      });
    });
  }
  if (purpose === 'fill') await connection.query({ text: fillStatement, values: [name] });
  const [row] = await connection.query<ClusterIdentity & { readonly format: number }>({
    text: 'SELECT id, name, format, secret, filling AS "isFilling" FROM gatehouse.cluster',
  });
  if (row!.name !== name) {
    throw new ClusterMismatchError(
      `cannot join the cluster "${name}": the database is that of the cluster "${row!.name}"; give each cluster a database of its own`,
    );
  }
  if (row!.format !== formatVersion && row!.format !== formatVersionOfSeveral) {
    throw new ClusterMismatchError(
      `cannot join the cluster "${name}": its tables have format ${row!.format}, and this program supports formats up to ${formatVersionOfSeveral}; use the version that the other hosts run`,
    );
  }
  const { id, secret, isFilling } = row!;
  if (isFilling && purpose === 'serve') throw new ClusterUnfinishedError();
  return { id, name, secret, isFilling };
}

async function checkServer(connection: PostgresConnection): Promise<void> {
  const [settings] = await connection.query<Record<'version' | 'commit' | 'readonly', string>>({
    text: `SELECT current_setting('server_version_num') AS version, current_setting('synchronous_commit') AS commit,
      current_setting('transaction_read_only') AS readonly`,
  });
  const { version, commit, readonly } = settings!;
  if (Number(version) < serverVersionMin) {
    throw new ClusterDatabaseError(
      `cannot use the database for a cluster: the server has version ${version}, and ${serverVersionMin} is the oldest that can be used`,
    );
  }
  if (commit === 'off') {
    throw new ClusterDatabaseError(
      'cannot use the database for a cluster: synchronous_commit is off, so that a crash would lose what was acknowledged; set it to on',
    );
  }
  if (readonly === 'on') {
    throw new ClusterDatabaseError(
      'cannot use the database for a cluster: it accepts no writes; use the URL of the primary',
    );
  }
}

/** A pooler in statement mode refuses transactions, or gives each statement another connection. */
async function checkTransactions(connection: PostgresConnection): Promise<void> {
  const refuse = (reason: string, cause?: unknown): ClusterDatabaseError =>
    new ClusterDatabaseError(
      `cannot use the database for a cluster: ${reason}; with a pooler in between, pool transactions or sessions (pool_mode = transaction)`,
      { cause },
    );
  const text = 'SELECT pg_backend_pid() AS pid';
  let pids: ReadonlySet<unknown>;
  try {
    pids = await connection.transact(async (query) => {
      const rows = [...(await query({ text })), ...(await query({ text }))];
      return new Set(rows.map((row) => (row as { readonly pid: unknown }).pid));
    });
  } catch (error) {
    if (!(error instanceof DatabaseError) || !isProtocolViolation(error)) throw error;
    throw refuse(
      `it does not support transactions of several statements (${(error.cause as Error).message})`,
      error,
    );
  }
  if (pids.size > 1) throw refuse('the statements of a transaction reach different servers');
}

/** Removes a cluster that has a schema of its own, with all its content. None of its hosts may be running. */
export async function removeSchema(url: string | readonly string[], schema: string): Promise<void> {
  if (!schemaPattern.test(schema) || schema === 'gatehouse')
    throw new TypeError(`schema must be that of an additional cluster: ${schema}`);
  for (const database of readDatabaseUrls(url)) {
    const connection = new PostgresConnection(addSchema(database.url, schema), { clock: systemLeaseClock });
    try {
      // Drops the tables as well, and everything in the schema that the role may not see otherwise.
      await connection.query({
        text: 'DROP SCHEMA IF EXISTS gatehouse CASCADE'.replace('gatehouse', schema),
      });
    } finally {
      await connection.close();
    }
  }
}
