/** Objects of one host in a cluster, on a real PostgreSQL. */
import { deepEqual, equal, notEqual, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { type Clock, realClock } from '#base';
import { type ClusterOptions, joinCluster, readClusterStatus } from '#cluster';
import {
  type ClassOptions,
  DurableObject,
  type Runtime,
  type RuntimeOptions,
  VirtualClock,
  createRuntime,
} from '#objects';
import { systemLeaseClock } from '../../src/runtime/cluster/lease-clock.ts';
import { PostgresConnection } from '../../src/runtime/cluster/postgres/postgres-connection.ts';
import { dayStatements, openSchema } from '../../src/runtime/cluster/postgres/schema.ts';
import { StatementNames } from '../../src/runtime/cluster/postgres/statement-names.ts';
import { eventually } from '../eventually.ts';
import { PostgresServer } from './postgres-server.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 60_000;
const dayMs = 24 * 60 * 60_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

class Book extends DurableObject {
  rang: number[] = [];

  async write(key: string, value: unknown): Promise<void> {
    await this.ctx.storage.put(key, value);
  }

  async read(key: string): Promise<unknown> {
    return await this.ctx.storage.get(key);
  }

  async list(): Promise<unknown[]> {
    return [...(await this.ctx.storage.list())];
  }

  async wake(time: number): Promise<void> {
    await this.ctx.storage.setAlarm(time);
  }

  async bookmark(): Promise<string> {
    return await this.ctx.storage.getCurrentBookmark();
  }

  async alarm(): Promise<void> {
    await this.ctx.storage.put('rang', true);
  }
}

const classes: Record<string, ClassOptions> = {
  Kv: { class: Book },
  Sql: { class: Book, storage: 'sql' },
};
const kinds = ['Kv', 'Sql'] as const;

interface Host {
  readonly runtime: Runtime;
  readonly url: string;
}

const directories = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
// Not after each test: hosts that are closing still write to their databases.
after(() => rmSync(directories, { recursive: true, force: true }));

function createDirectory(): string {
  return mkdtempSync(join(directories, 'host-'));
}

async function openHost(
  t: TestContext,
  url: string,
  options: Partial<RuntimeOptions & ClusterOptions> = {},
): Promise<Host> {
  const cluster = await joinCluster({ url, leaseMs, ...options });
  const runtime = await createRuntime({
    cluster,
    directory: createDirectory(),
    classes,
    log: () => {},
    ...options,
  });
  t.after(() => runtime.close());
  return { runtime, url };
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

for (const kind of kinds) {
  test(`createRuntime({ cluster }), ${kind}, keeps objects for the next host`, async (t) => {
    const url = await server.createDatabase();
    const first = await openHost(t, url);
    const book = first.runtime.namespace(kind).getByName('a');
    for (let i = 0; i < 20; i++) await book.write(`key ${i % 7}`, { i });
    const before = await book.list();
    await first.runtime.close();
    const { runtime } = await openHost(t, url);
    const again = runtime.namespace(kind).getByName('a');
    deepEqual(await again.list(), before);
    equal(before.length, 7);
    const found: unknown[] = [];
    for await (const { name } of runtime.objects(kind)) found.push(name);
    deepEqual(found, ['a']);
  });

  test(`createRuntime({ cluster }), ${kind}, fires the alarm of an object that no host has`, async (t) => {
    const url = await server.createDatabase();
    const clock = new VirtualClock();
    const first = await openHost(t, url, { clock });
    await first.runtime
      .namespace(kind)
      .getByName('a')
      .wake(clock.now() + 60_000);
    await first.runtime.close();
    const { runtime } = await openHost(t, url, { clock });
    equal(await clock.runNextAlarm(), true);
    equal(await runtime.namespace(kind).getByName('a').read('rang'), true);
    const alarms: unknown[] = [];
    for await (const alarm of runtime.alarms()) alarms.push(alarm);
    deepEqual(alarms, []);
  });

  test(`createRuntime({ cluster }), ${kind}, starts from a checkpoint once the log outweighs the object`, async (t) => {
    const url = await server.createDatabase();
    const first = await openHost(t, url);
    const book = first.runtime.namespace(kind).getByName('a');
    const large = (i: number): string => String.fromCharCode(65 + i).repeat(100_000);
    for (let i = 0; i < 15; i++) await book.write('large', large(i));
    const read = async (): Promise<number> => {
      const [row] = await server.execute('SELECT seq::int FROM gatehouse.checkpoint', databaseOf(url));
      return Number(row?.['seq'] ?? 0);
    };
    await eventually(async () => (await read()) > 5);
    await first.runtime.close();
    // Without the records before it, so that the starting point of the next host is certain.
    await server.execute(
      `DO $$ DECLARE d text; BEGIN FOR d IN SELECT day FROM gatehouse.day LOOP
        EXECUTE format('DELETE FROM gatehouse.%I WHERE seq <= (SELECT max(seq) FROM gatehouse.image)', d); END LOOP; END $$`,
      databaseOf(url),
    );
    const { runtime } = await openHost(t, url);
    equal(await runtime.namespace(kind).getByName('a').read('large'), large(14));
  });

  test(`giveBackHistory, ${kind}, drops the table of a day, and the objects stay`, async (t) => {
    const url = await server.createDatabase();
    const clock = new VirtualClock();
    const first = await openHost(t, url, { clock, retentionMs: dayMs });
    const book = first.runtime.namespace(kind).getByName('a');
    await book.write('old', 1);
    // The last record of the day is about a checkpoint, which is of the state after an earlier one.
    let large = '';
    const image = 'SELECT 1 FROM gatehouse.image LIMIT 1';
    while ((await server.execute(image, databaseOf(url))).length === 0) {
      large = randomBytes(50_000).toString('hex');
      await book.write('large', large);
      await clock.untilIdle();
    }
    const oldest = async (): Promise<unknown> => {
      const [row] = await server.execute('SELECT min(day) AS day FROM gatehouse.day', databaseOf(url));
      return row!['day'];
    };
    const before = await oldest();
    await clock.advance(3 * dayMs);
    await book.write('new', 2);
    await first.runtime.giveBackHistory();
    notEqual(await oldest(), before);
    await first.runtime.close();
    const { runtime } = await openHost(t, url, { clock });
    deepEqual(await runtime.namespace(kind).getByName('a').list(), [
      ['large', large],
      ['new', 2],
      ['old', 1],
    ]);
  });
}

test('giveBackHistory takes nothing for old that is old by the clock of one host only', async (t) => {
  const url = await server.createDatabase();
  const first = await openHost(t, url);
  await first.runtime.namespace('Sql').getByName('a').write('value', 1);
  await first.runtime.close();
  const clock: Clock = { ...realClock, now: () => realClock.now() + 400 * dayMs };
  const { runtime } = await openHost(t, url, { clock });
  equal(await runtime.giveBackHistory(), 0);
  equal(await runtime.namespace('Sql').getByName('a').read('value'), 1);
});

test('history, in a cluster, goes back to a bookmark of another host', async (t) => {
  const url = await server.createDatabase();
  const first = await openHost(t, url);
  const book = first.runtime.namespace('Sql').getByName('a');
  await book.write('value', 1);
  const bookmark = await book.bookmark();
  await book.write('value', 2);
  await first.runtime.close();
  const { runtime } = await openHost(t, url);
  const history = runtime.history(runtime.namespace('Sql').idFromName('a'));
  const undo = await history.restore(bookmark);
  equal(await runtime.namespace('Sql').getByName('a').read('value'), 1);
  await history.restore(undo);
  equal(await runtime.namespace('Sql').getByName('a').read('value'), 2);
});

test('a host that claims an object takes it from one that died, and from none that lives', async (t) => {
  const url = await server.createDatabase();
  const first = await openHost(t, url);
  await first.runtime.namespace('Sql').getByName('a').write('value', 1);
  const second = await openHost(t, url);
  const book = second.runtime.namespace('Sql').getByName('a');
  await rejects(async () => await book.read('value'), /host \w+ of the cluster has it/);
  await first.runtime.close();
  equal(await second.runtime.namespace('Sql').getByName('a').read('value'), 1);
});

test('createRuntime({ cluster }) that fails leaves the cluster', async () => {
  const url = await server.createDatabase();
  const cluster = await joinCluster({ url, leaseMs });
  const options = { cluster, directory: createDirectory(), classes, limits: { keyBytesMax: -1 } };
  await rejects(createRuntime(options), { name: 'RangeError' });
  const { hosts } = await readClusterStatus(url);
  deepEqual(
    hosts.map(({ state }) => state),
    ['dead'],
  );
});

test('createRuntime({ cluster }) keeps what a directory has whose log is lost', async (t) => {
  const directory = createDirectory();
  const image = join(directory, 'images', 'ab', '0001-ab-0000000000000001.snapshot');
  mkdirSync(join(image, '..'), { recursive: true });
  writeFileSync(image, 'pages');
  const { runtime } = await openHost(t, await server.createDatabase(), { directory });
  await runtime.namespace('Sql').getByName('a').write('value', 1);
  await runtime.close();
  equal(readFileSync(image, 'utf8'), 'pages');
});

test('a database that is restarted is waited for', async (t) => {
  const url = await server.createDatabase();
  const { runtime } = await openHost(t, url);
  const book = runtime.namespace('Kv').getByName('a');
  await book.write('before', 1);
  await server.kill();
  const written = book.write('after', 2);
  await server.run();
  await written;
  deepEqual(await book.list(), [
    ['after', 2],
    ['before', 1],
  ]);
});

test('a statement whose name the server does not know, or has from somebody else, is run without one', async (t) => {
  const url = await server.createDatabase();
  const text = 'SELECT $1::int AS value';
  let lost = 0;
  for (const trouble of ['none of that name', 'one already']) {
    for (const isPipelined of [false, true]) {
      const names = new StatementNames(() => lost++);
      const connection = new PostgresConnection(url, { clock: systemLeaseClock, names, isPipelined });
      t.after(() => connection.close());
      const ask = async (value: number): Promise<number> =>
        (await connection.query<{ value: number }>({ name: 'ask', text, values: [value] }))[0]!.value;
      if (trouble === 'one already') {
        const name = names.nameOf({ name: 'ask', text });
        await connection.query({ text: `PREPARE ${name} AS ${text}` });
      } else {
        equal(await ask(1), 1);
        await connection.query({ text: 'DEALLOCATE ALL' });
      }
      deepEqual(isPipelined ? await Promise.all([ask(2), ask(3)]) : [await ask(2), await ask(3)], [2, 3]);
      equal(names.nameOf({ name: 'ask', text }), undefined);
    }
  }
  equal(lost, 4);
});

test('joinCluster refuses the database of another cluster, of a later version, and one that forgets', async () => {
  const url = await server.createDatabase();
  const database = databaseOf(url);
  await (await joinCluster({ url })).leave();
  await rejects(joinCluster({ url, name: 'other' }), {
    code: 'CLUSTER_MISMATCH',
    message: /cluster "other": the database is that of the cluster "gatehouse"/,
  });
  await server.execute('UPDATE gatehouse.cluster SET format = 3', database);
  await rejects(joinCluster({ url }), { code: 'CLUSTER_MISMATCH', message: /format 3/ });
  await server.execute(`ALTER DATABASE ${database} SET synchronous_commit = off`);
  await rejects(joinCluster({ url }), {
    code: 'CLUSTER_DATABASE_UNFIT',
    message: /synchronous_commit is off/,
  });
});

test('joinCluster adds what tables of the first version do not have, and keeps the objects', async (t) => {
  const url = await server.createDatabase();
  const first = await openHost(t, url);
  for (const kind of kinds) await first.runtime.namespace(kind).getByName('a').write('kept', kind);
  await first.runtime.close();
  const readColumns = async (): Promise<unknown> =>
    await server.execute(
      `SELECT attrelid::regclass::text AS "table", attname AS "column" FROM pg_attribute
        WHERE attrelid::regclass::text LIKE 'gatehouse.%' AND attnum > 0 AND NOT attisdropped
          AND attrelid::regclass::text NOT LIKE '%\\_pkey' ORDER BY 1, 2`,
      databaseOf(url),
    );
  const columns = await readColumns();
  await server.execute(
    `ALTER TABLE gatehouse.host DROP COLUMN load, DROP COLUMN leaving, DROP COLUMN busy_ms, DROP COLUMN code;
     ALTER TABLE gatehouse.cluster DROP COLUMN generation, DROP COLUMN filling, DROP COLUMN code;
     DROP TABLE gatehouse.database, gatehouse.activity_log, gatehouse.activity_frame, gatehouse.activity_block`,
    databaseOf(url),
  );
  // All hosts of a cluster that was stopped for the new version start at once.
  const hosts = await Promise.all(Array.from({ length: 3 }, () => openHost(t, url, { listen: {} })));
  deepEqual(await readColumns(), columns);
  for (const { runtime } of hosts)
    for (const kind of kinds) equal(await runtime.namespace(kind).getByName('a').read('kept'), kind);
});

test('joinCluster names the database without its password', async () => {
  const url = await server.createDatabase();
  const secret = new URL(url);
  secret.password = 'hunter2';
  const cluster = await joinCluster({ url: secret.href });
  equal(cluster.label.includes('hunter2'), false);
  await cluster.leave();
  await rejects(joinCluster({ url, listen: { host: '0.0.0.0' } }), /listen\.advertise must say where/);
  await rejects(joinCluster({ url: 'mysql://root:hunter2@localhost/x' }), (error: Error) => {
    equal(error.message.includes('hunter2'), false);
    return true;
  });
});

test('dayStatements make the table of a day for all hosts that ask at once', async (t) => {
  const url = await server.createDatabase();
  const connections = Array.from({ length: 6 }, () => {
    const names = new StatementNames(() => {});
    const connection = new PostgresConnection(url, { clock: systemLeaseClock, names, isPipelined: false });
    t.after(() => connection.close());
    return connection;
  });
  await openSchema(connections[0]!, 'test', 'serve');
  for (const day of ['log_20260101', 'log_20260102', 'log_20260103']) {
    await Promise.all(
      connections.map(async (connection) => {
        for (const text of dayStatements(day)) await connection.query({ text });
      }),
    );
    const text = `SELECT attstorage AS storage FROM pg_attribute
      WHERE attrelid = 'gatehouse.${day}'::regclass AND attname = 'record'`;
    deepEqual(await connections[0]!.query({ text }), [{ storage: 'm' }]);
  }
});
