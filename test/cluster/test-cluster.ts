/**
 * A separate cluster for each test, if the environment names a server: `npm run test:cluster` runs the tests of
 * objects, of the SDK and of migrations that way, without a change to them.
 */
import pg from 'pg';
import { type Cluster, joinCluster } from '#cluster';
import { holdCommitsBy } from './hold-commits.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 60_000;
let databases = 0;

export interface TestCluster {
  readonly url: string;
  /** Its commits pass the gate, if there is one. */
  join(gate?: Parameters<typeof holdCommitsBy>[0]): Promise<{ readonly cluster: Cluster }>;
  countSnapshots(): Promise<number>;
  /** The kinds of the images of an object. */
  listImages(idHex: string): Promise<string[]>;
  /** The size of the records of all objects. */
  measureLog(): Promise<number>;
  remove(): Promise<void>;
}

export async function findTestCluster(): Promise<TestCluster | undefined> {
  const server = process.env['GATEHOUSE_TEST_DATABASE'];
  if (server === undefined) return undefined;
  const name = `test_${process.pid}_${++databases}`;
  await execute(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async join(gate) {
      if (gate !== undefined) holdCommitsBy(gate);
      return { cluster: await joinCluster({ url: url.href, leaseMs }) };
    },
    countSnapshots: async () => {
      const statement = "SELECT seq FROM gatehouse.image WHERE kind = 'snapshot' AND piece = 0";
      return (await execute(url.href, statement)).length;
    },
    async listImages(idHex) {
      const statement = `SELECT kind FROM gatehouse.image WHERE piece = 0 AND position(decode('${idHex}', 'hex') IN object) > 0`;
      return ((await execute(url.href, statement)) as { kind: string }[]).map(({ kind }) => kind);
    },
    async measureLog() {
      const statement = `SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::float8 AS bytes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'gatehouse'::regnamespace AND relname LIKE 'log\\_%'`;
      const [row] = (await execute(url.href, statement)) as [{ readonly bytes: number }];
      return row.bytes;
    },
    remove: async () => void (await execute(server, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function execute(server: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query<object>(statement)).rows;
  } finally {
    await client.end();
  }
}
