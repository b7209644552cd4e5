/** Objects of a cluster while their database is unavailable, slow, read-only or full, and when it fails over. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { diskRefusalOf } from '#files';
import { type Cluster, type ClusterOptions, type DatabaseError, joinCluster } from '#cluster';
import { DurableObject, type DurableObjectNamespace, type Runtime, createRuntime } from '#objects';
import { systemLeaseClock } from '../../src/runtime/cluster/lease-clock.ts';
import { dayOf } from '../../src/runtime/cluster/ownership/log-day.ts';
import { PostgresDatabase } from '../../src/runtime/cluster/postgres/postgres-database.ts';
import { eventually } from '../eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PostgresServer, urlThrough } from './postgres-server.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 30_000;
/** Short, for tests of what is reported afterwards. */
const waitMs = 3_000;
/**
 * Short, for tests in which it expires: a statement that joins may take as long, so that a busy database must not take
 * longer.
 */
const endingLeaseMs = 3_000;
const hourMs = 3_600_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

class Counter extends DurableObject {
  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put({ value, [`row ${value}`]: value });
    return value;
  }

  async read(): Promise<number> {
    return (await this.ctx.storage.get<number>('value')) ?? 0;
  }

  async rows(): Promise<number> {
    return (await this.ctx.storage.list({ prefix: 'row ' })).size;
  }
}

const classes = { Kv: { class: Counter }, Sql: { class: Counter, storage: 'sql' } } as const;

type CounterStub = ReturnType<DurableObjectNamespace<Counter>['getByName']>;

interface Rig {
  readonly runtime: Runtime;
  readonly proxy: FaultProxy;
  readonly database: string;
  /** The runtime's reports to its operator. */
  readonly said: readonly string[];
  /** Not the same stub each time: a stub stays bound to the life of the object that it has found. */
  counter(): CounterStub;
}

async function openRig(
  t: TestContext,
  kind: 'Kv' | 'Sql',
  options: { readonly leaseMs?: number; readonly waitMs?: number } = {},
): Promise<Rig> {
  const url = await server.createDatabase();
  const proxy = await FaultProxy.start({ path: server.socketPath });
  const { runtime, said } = await openHost(t, urlThrough(url, proxy), options);
  t.after(() => proxy.stop());
  const database = new URL(url).pathname.slice(1);
  return { runtime, proxy, database, said, counter: () => runtime.namespace<Counter>(kind).getByName('a') };
}

interface Host {
  readonly runtime: Runtime;
  readonly cluster: Cluster;
  readonly said: readonly string[];
}

async function openHost(t: TestContext, url: string, options: Partial<ClusterOptions>): Promise<Host> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
  const cluster = await joinCluster({ url, leaseMs, ...options });
  const said: string[] = [];
  const log = (message: string): void => void said.push(message);
  const runtime = await createRuntime({ cluster, directory, classes, log });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { runtime, cluster, said };
}

async function disconnect(database: string): Promise<void> {
  await server.execute(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND application_name = 'gatehouse'`,
  );
}

/** No acknowledged write is lost, and none was done twice. */
async function checkRows({ counter }: Rig, atLeast: number): Promise<void> {
  const value = await counter().read();
  ok(value >= atLeast, `${value} of ${atLeast}`);
  equal(await counter().rows(), value);
}

/** Why a call is refused; undefined if it succeeds. */
async function findRefusal(call: Promise<unknown>): Promise<ReturnType<typeof diskRefusalOf>> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return diskRefusalOf(error);
}

/** Resolves when a write is acknowledged. */
async function writeAgain({ counter }: Rig): Promise<void> {
  const isAnswered = async (): Promise<boolean> =>
    await counter()
      .increment()
      .then(
        (value) => value > 0,
        () => false,
      );
  await eventually(isAnswered);
}

test('a write waits for a database that swallows everything, then says so; afterwards it goes on', async (t) => {
  const rig = await openRig(t, 'Sql', { waitMs });
  await rig.counter().increment();
  rig.proxy.swallow();
  await rejects(
    async () => await rig.counter().increment(),
    (error: Error & { retryable?: boolean }) => {
      equal(error.retryable, true);
      equal(diskRefusalOf(error), 'away');
      return true;
    },
  );
  rig.proxy.heal();
  await writeAgain(rig);
  await checkRows(rig, 2);
});

test('a read is not answered by a host whose lease may be over, but is told after a while', async (t) => {
  const rig = await openRig(t, 'Kv', { leaseMs: waitMs, waitMs });
  await rig.counter().increment();
  rig.proxy.cut();
  await eventually(async () => (await findRefusal(rig.counter().read())) === 'away');
  rig.proxy.heal();
  await eventually(
    async () =>
      (await rig
        .counter()
        .read()
        .catch(() => 0)) === 1,
  );
  // Not after each failed attempt.
  ok(rig.said.filter((line) => line.startsWith('could not check for alarms')).length <= 1);
});

test('objects go on by themselves with a database that is slow', async (t) => {
  const rig = await openRig(t, 'Sql');
  rig.proxy.slowBy(50);
  const values = await Promise.all(Array.from({ length: 10 }, () => rig.counter().increment()));
  deepEqual(
    values,
    values.map((_, index) => index + 1),
  );
});

test('a database that takes no writes is waited for, then named, and used again when it takes them', async (t) => {
  const rig = await openRig(t, 'Sql', { waitMs });
  await rig.counter().increment();
  await server.execute(`ALTER DATABASE ${rig.database} SET default_transaction_read_only = on`);
  await disconnect(rig.database);
  // On a busy machine, the first call may not get beyond the connection that was cut.
  await eventually(async () => (await findRefusal(rig.counter().increment())) === 'read-only');
  await server.execute(`ALTER DATABASE ${rig.database} RESET default_transaction_read_only`);
  await disconnect(rig.database);
  await writeAgain(rig);
  await checkRows(rig, 2);
});

test('a database without space refuses a write at once, and takes the next when it has some', async (t) => {
  const rig = await openRig(t, 'Kv');
  await rig.counter().increment();
  await server.execute(
    `CREATE FUNCTION gatehouse.full() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER fill BEFORE UPDATE ON gatehouse.head FOR EACH ROW EXECUTE FUNCTION gatehouse.full()`,
    rig.database,
  );
  const refused = async (): Promise<unknown> =>
    await rig
      .counter()
      .increment()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
  equal(diskRefusalOf(await refused()), 'full');
  equal(diskRefusalOf(await refused()), 'full');
  await server.execute('DROP TRIGGER fill ON gatehouse.head', rig.database);
  equal(await rig.counter().increment(), 2);
  await checkRows(rig, 2);
});

for (const loss of ['delivered', 'dropped', 'delivered late'] as const) {
  test(`a commit that was ${loss} when its connection was lost is done once`, async (t) => {
    const rig = await openRig(t, loss === 'dropped' ? 'Kv' : 'Sql');
    equal(await rig.counter().increment(), 1);
    for (let i = 2; i < 5; i++) {
      const lost = rig.proxy.loseAt(['commit_'], loss);
      const incremented = rig.counter().increment();
      await lost;
      equal(await incremented, i);
    }
    await checkRows(rig, 4);
    const [head] = await server.execute('SELECT epoch::int FROM gatehouse.head', rig.database);
    ok(Number(head!['epoch']) > 3, 'it was claimed again each time to find out');
  });
}

/** Sets the clock of a database, for the connections that are made from now on. */
async function installClock(database: string): Promise<(byMs: number) => Promise<void>> {
  const statements = [
    'CREATE SCHEMA clock',
    "CREATE TABLE clock.ahead AS SELECT interval '0' AS ahead",
    `CREATE FUNCTION clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM clock.ahead'`,
    `ALTER DATABASE ${database} SET search_path = clock, pg_catalog`,
  ];
  for (const statement of statements) await server.execute(statement, database);
  return async (byMs) => {
    const ahead = `ahead + ${byMs} * interval '1 millisecond'`;
    await server.execute(`UPDATE clock.ahead SET ahead = ${ahead}`, database);
  };
}

test('answers to commits that come in another order acknowledge nothing that was not done', async (t) => {
  const url = await server.createDatabase();
  const proxy = await FaultProxy.start({ path: server.socketPath });
  t.after(() => proxy.stop());
  const clock = systemLeaseClock;
  const open = (where: string): PostgresDatabase =>
    new PostgresDatabase(where, { clock, leaseMs, waitMs: leaseMs, log: () => {} });
  const direct = open(url);
  const database = open(urlThrough(url, proxy));
  t.after(() => Promise.all([direct.close(), database.close()]));
  await direct.open('gatehouse');
  for (const id of ['one', 'two']) await direct.join({ id, leaseMs, address: '' }, 0);
  const day = dayOf(Date.now());
  await direct.createDay(day);
  for (const object of ['lost', 'kept']) await direct.claim('one', object);
  // Another host has taken one of the objects.
  await server.execute(
    `UPDATE gatehouse.head SET host = 'two', epoch = 2 WHERE object = 'lost'`,
    new URL(url).pathname.slice(1),
  );
  const commit = async (object: string): Promise<unknown> => {
    const common = { epoch: 1, sequence: 1, time: Date.now(), name: undefined, alarm: undefined };
    const write = { object, payload: Buffer.from(object), ...common };
    return await database.commit('one', day, [write]).catch(({ outcome }: DatabaseError) => outcome);
  };
  // The statement is prepared by the first of them.
  await commit('lost');
  proxy.exchangeNext();
  deepEqual(await Promise.all([commit('lost'), commit('kept')]), ['unknown', 'unknown']);
  equal(proxy.reordered, 1);
});

test('objects lose nothing where answers of the database come in another order', async (t) => {
  const rig = await openRig(t, 'Sql', { waitMs: leaseMs });
  const counters = Array.from({ length: 8 }, (_, index) => `counter ${index}`);
  const call = (name: string): Promise<number> =>
    rig.runtime.namespace<Counter>('Sql').getByName(name).increment();
  for (const name of counters) await call(name);
  rig.proxy.reorder();
  const acknowledged = new Map<string, number>();
  const callOn = async (name: string): Promise<void> => {
    // Each at a different time, so that they do not share a statement.
    for (let turn = 0; turn < 10; turn++) {
      const value = await call(name).catch(() => 0);
      acknowledged.set(name, Math.max(value, acknowledged.get(name) ?? 0));
    }
  };
  await Promise.all(counters.map(callOn));
  for (const name of counters) {
    const counter = rig.runtime.namespace<Counter>('Sql').getByName(name);
    const value = await counter.read();
    ok(value >= acknowledged.get(name)!, `${name}: ${value}, ${acknowledged.get(name)} acknowledged`);
    equal(await counter.rows(), value);
  }
  ok(rig.proxy.reordered > 0);
});

test('objects go on with a database whose clock jumps, and a host that died before it was set back is replaced', async (t) => {
  const url = await server.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const setClock = await installClock(database);
  const open = (): Promise<Host> => openHost(t, url, { leaseMs: endingLeaseMs, waitMs, listen: {} });
  const first = await open();
  let acknowledged = 0;
  const increment = ({ runtime }: Host): Promise<void> =>
    eventually(async () => {
      const value = await runtime
        .namespace<Counter>('Sql')
        .getByName('a')
        .increment()
        .catch(() => undefined);
      acknowledged = value ?? acknowledged;
      return value !== undefined;
    });
  await increment(first);
  // It has the object before there is another host.
  const second = await open();
  for (const byMs of [hourMs, -2 * hourMs, hourMs]) {
    await setClock(byMs);
    for (const host of [first, second]) await increment(host);
  }
  for (const { membership } of first.cluster.shards) membership.stop();
  await setClock(-hourMs);
  // As after a renewal by the previous clock: one that was in transit may still have arrived, by the new clock.
  const lease = `UPDATE gatehouse.host SET until = clock_timestamp() + interval '1 hour' WHERE id = '${first.cluster.hostId}'`;
  await server.execute(lease, database);
  await eventually(() => !first.cluster.fence.holds);
  await increment(second);
  const counter = second.runtime.namespace<Counter>('Sql').getByName('a');
  deepEqual([await counter.read(), await counter.rows()], [acknowledged, acknowledged]);
});

// The last test: it stops the server of the others.
test('a database that is killed under load and replaced by its standby loses nothing', async (t) => {
  const rig = await openRig(t, 'Sql');
  const standby = await server.startStandby();
  t.after(() => standby.stop());
  let acknowledged = 0;
  const over = new AbortController();
  const callOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const value = await rig
        .counter()
        .increment()
        .catch(() => 0);
      acknowledged = Math.max(acknowledged, value);
    }
  };
  const calling = Promise.all([callOn(), callOn()]);
  await eventually(() => acknowledged > 20);
  await server.kill();
  await standby.promote();
  const before = acknowledged;
  rig.proxy.retarget({ path: standby.socketPath });
  await eventually(() => acknowledged > before + 5);
  over.abort();
  await calling;
  await checkRows(rig, acknowledged);
});
