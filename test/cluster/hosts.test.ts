/** Several hosts of a cluster, on a real PostgreSQL. */
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { type Cluster, type ClusterOptions, joinCluster } from '#cluster';
import { type ClassOptions, DurableObject, type Runtime, createRuntime } from '#objects';
import { serveHttp } from '#workers';
import { connectSecurely } from '../../src/runtime/cluster/calls/secure-sockets.ts';
import { systemLeaseClock } from '../../src/runtime/cluster/lease-clock.ts';
import { eventually } from '../eventually.ts';
import { Room } from '../sockets/hosted-objects.ts';
import { Client } from '../sockets/site.ts';
import { FaultProxy } from './fault-proxy.ts';
import { recordHistory } from './history/history.ts';
import { PostgresServer } from './postgres-server.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 30_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

class Counter extends DurableObject<{ readonly host: string }> {
  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  where(): string {
    return this.env.host;
  }

  async tell(listener: (host: string) => Promise<string>): Promise<string> {
    return await listener(this.env.host);
  }

  async fetch(request: Request): Promise<Response> {
    return new Response(`${this.env.host}: ${await request.text()}`);
  }
}

const classes: Record<string, ClassOptions> = {
  Kv: { class: Counter },
  Sql: { class: Counter, storage: 'sql' },
  Room: { class: Room, storage: 'sql' },
};

interface Host {
  readonly runtime: Runtime;
  readonly cluster: Cluster;
  /** Its reports to the operator. */
  readonly said: readonly string[];
}

async function openHost(
  t: TestContext,
  url: string,
  name: string,
  listen: NonNullable<ClusterOptions['listen']> = {},
  ownLeaseMs = leaseMs,
): Promise<Host> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
  const said: string[] = [];
  const log = (message: string, error?: unknown): void => {
    said.push(error === undefined ? message : `${message}: ${(error as Error).message}`);
  };
  const cluster = await joinCluster({ url, leaseMs: ownLeaseMs, listen, log });
  const env = { host: name };
  const runtime = await createRuntime({ cluster, directory, classes, env, log: () => {} });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { runtime, cluster, said };
}

/** Opens hosts that know each other. */
async function openHosts(t: TestContext, names: readonly string[]): Promise<Host[]> {
  const url = await server.createDatabase();
  const hosts: Host[] = [];
  for (const name of names) hosts.push(await openHost(t, url, name));
  for (const { cluster } of hosts) await cluster.fence.renew();
  return hosts;
}

test('a call from any host reaches the object where it is', async (t) => {
  const hosts = await openHosts(t, ['a', 'b', 'c']);
  for (const kind of ['Kv', 'Sql']) {
    const values: number[] = [];
    const places = new Set<string>();
    for (const { runtime } of [...hosts, ...hosts]) {
      const counter = runtime.namespace(kind).getByName('one');
      values.push(await counter.increment());
      places.add(await counter.where());
    }
    deepEqual(values, [1, 2, 3, 4, 5, 6]);
    equal(places.size, 1);
  }
});

test('what is passed to an object of another host is called back, and answers come in order', async (t) => {
  const [near, far] = await openHosts(t, ['near', 'far']);
  const counter = far!.runtime.namespace('Sql').getByName('one');
  await counter.increment();
  const place = await counter.where();
  for (const { runtime } of [near!, far!]) {
    const stub = runtime.namespace('Sql').getByName('one');
    equal(await stub.tell(async (host: string) => `heard from ${host}`), `heard from ${place}`);
    const response = await stub.fetch('http://object/', { method: 'POST', body: 'hello' });
    equal(await response.text(), `${place}: hello`);
    const burst = await Promise.all(Array.from({ length: 5 }, () => stub.increment()));
    deepEqual(
      burst,
      burst.toSorted((a, b) => a - b),
    );
  }
});

test('objects that nobody has are placed where there are few', async (t) => {
  const hosts = await openHosts(t, ['a', 'b']);
  const [{ runtime }] = hosts as [Host];
  const places = new Map<string, number>();
  for (let i = 0; i < 8; i++) {
    const place = await runtime.namespace('Kv').getByName(`object ${i}`).where();
    places.set(place, (places.get(place) ?? 0) + 1);
    for (const { cluster } of hosts) await cluster.fence.renew();
  }
  deepEqual([...places.values()].toSorted(), [4, 4]);
});

test('a host that leaves hands over its objects, and no caller gets an error', async (t) => {
  const hosts = await openHosts(t, ['a', 'b']);
  const [leaving, staying] = hosts as [Host, Host];
  const names = Array.from({ length: 6 }, (_, index) => `object ${index}`);
  for (const name of names) {
    await leaving.runtime.namespace('Sql').getByName(name).increment();
    for (const { cluster } of hosts) await cluster.fence.renew();
  }
  const stubs = names.map((name) => staying.runtime.namespace('Sql').getByName(name));
  let calls = 1;
  const left = new AbortController();
  const call = async (): Promise<void> => {
    while (!left.signal.aborted) {
      const values = await Promise.all(stubs.map((stub) => stub.increment()));
      calls++;
      deepEqual(
        values,
        names.map(() => calls),
      );
      // It learns from its heartbeat that the other host leaves; a lease is long here.
      await staying.cluster.fence.renew();
    }
  };
  const calling = call();
  await eventually(() => calls > 3);
  await leaving.runtime.close();
  left.abort();
  await calling;
  deepEqual(new Set(await Promise.all(stubs.map((stub) => stub.where()))), new Set(['b']));
});

test('hosts that leave one after the other, while all of them are called without a pause, give no caller an error', async (t) => {
  const hosts = await openHosts(t, ['a', 'b', 'c', 'd']);
  const names = ['Kv', 'Sql'].flatMap((kind) => [`${kind} 1`, `${kind} 2`]);
  const answers = new Map<string, number[]>(names.map((name) => [name, []]));
  const stops = new Map(hosts.map(({ runtime }) => [runtime, new AbortController()]));
  const callOn = async ({ runtime }: Host, name: string): Promise<void> => {
    const counter = runtime.namespace(name.split(' ')[0]!).getByName(name);
    const { signal } = stops.get(runtime)!;
    while (!signal.aborted) answers.get(name)!.push(await counter.increment());
  };
  // Several callers of each object on each host, so that the host is never idle.
  const calling = Promise.all(
    hosts.flatMap((host) => names.flatMap((name) => [1, 2, 3].map(() => callOn(host, name)))),
  );
  calling.catch(() => {});
  const countAnswers = (): number => [...answers.values()].reduce((sum, { length }) => sum + length, 0);
  for (const { runtime } of hosts.slice(0, -1)) {
    const before = countAnswers();
    await eventually(() => countAnswers() > before + 100);
    // A call that has started, and ends after the host was asked to stop.
    const held = Promise.withResolvers<string>();
    const begun = Promise.withResolvers<void>();
    const running = hosts
      .at(-1)!
      .runtime.namespace('Sql')
      .getByName('Sql 1')
      .tell(() => {
        begun.resolve();
        return held.promise;
      });
    await begun.promise;
    const closing = runtime.close();
    stops.get(runtime)!.abort();
    held.resolve('held');
    equal(await running, 'held');
    await closing;
  }
  stops.get(hosts.at(-1)!.runtime)!.abort();
  await calling;
  for (const [name, values] of answers) {
    const ordered = values.toSorted((one, other) => one - other);
    deepEqual(
      ordered,
      Array.from(ordered, (_, index) => index + 1),
      name,
    );
  }
});

test('a host does not answer a process that does not know the secret of the cluster', async (t) => {
  const [host] = await openHosts(t, ['a']);
  const { hostname, port } = new URL(`tcp://${host!.cluster.address}`);
  const { id } = host!.cluster.fence;
  const wrong = [
    { id, secret: Buffer.alloc(32) },
    { id: '0'.repeat(24), secret: host!.cluster.shards[0]!.secret! },
  ];
  for (const known of wrong) {
    const target = { host: hostname, port: Number(port) };
    await rejects(connectSecurely(target, { ...known, clock: systemLeaseClock }));
  }
  const right = { id, secret: host!.cluster.shards[0]!.secret!, clock: systemLeaseClock };
  const socket = await connectSecurely({ host: hostname, port: Number(port) }, right);
  match(socket.getCipher().standardName, /ECDHE_PSK/);
  // A host of another version sends what this one does not know.
  socket.write(Buffer.of(2, 0, 0, 0, 99, 0));
  await eventually(() => host!.said.length === 2, 'the operator is told');
  match(host!.said[0]!, /refused a connection from 127\.0\.0\.1: it does not have the secret/);
  match(
    host!.said[1]!,
    /ended the connection with the host of the cluster that calls from 127\.0\.0\.1.*unknown type 99/,
  );
  // A peer that does not encrypt gets no response.
  const plain = connect(Number(port), hostname);
  const closed = once(plain, 'close');
  const received: Buffer[] = [];
  plain.on('data', (bytes: Buffer) => received.push(bytes));
  plain.on('error', () => {});
  plain.write('GET / HTTP/1.1\r\n\r\n');
  await closed;
  ok(Buffer.concat(received).length < 16, 'at most an alert');
});

test('a call through a network that swallows it ends, and the object is reached when it is healed', async (t) => {
  const url = await server.createDatabase();
  const proxy = await FaultProxy.start();
  const advertise = `127.0.0.1:${proxy.port}`;
  const far = await openHost(t, url, 'far', { advertise }, 2_000);
  t.after(() => proxy.stop());
  proxy.retarget({ host: '127.0.0.1', port: Number(new URL(`tcp://${far.cluster.localAddress}`).port) });
  await far.runtime.namespace('Kv').getByName('one').increment();
  const near = await openHost(t, url, 'near', {}, 2_000);
  await near.cluster.fence.renew();
  const increment = async (): Promise<number> =>
    await near.runtime.namespace('Kv').getByName('one').increment();
  // On a busy machine one of the hosts may be mistaken for dead meanwhile, and callers get a retryable error.
  const insist = (least: number): Promise<void> =>
    eventually(async () => (await increment().catch(() => 0)) >= least);
  await insist(2);
  proxy.swallow();
  await increment().catch((error: Error & { retryable?: boolean }) => equal(error.retryable, true));
  const silent = /host \w+ of the cluster at 127\.0\.0\.1:\d+ was silent for \d+ ms/;
  await eventually(() => near.said.some((line) => silent.test(line)), 'the operator is told');
  proxy.heal();
  await insist(3);
});

for (const isolation of ['read committed', 'serializable']) {
  test(`objects that several hosts use first at the same moment lose nothing, ${isolation}`, async (t) => {
    const url = await server.createDatabase();
    const database = new URL(url).pathname.slice(1);
    await server.execute(`ALTER DATABASE ${database} SET default_transaction_isolation = '${isolation}'`);
    // All of them also create the tables.
    const hosts = await Promise.all(['a', 'b', 'c'].map((name) => openHost(t, url, name)));
    for (const { cluster } of hosts) await cluster.fence.renew();
    const names = Array.from({ length: 12 }, (_, index) => `object ${index}`);
    const rounds = 3;
    const callAll = async ({ runtime }: Host): Promise<Map<string, number[]>> => {
      const seen = new Map<string, number[]>();
      const call = async (name: string, index: number): Promise<void> => {
        const counter = runtime.namespace(index % 2 === 0 ? 'Kv' : 'Sql').getByName(name);
        seen.set(name, await Promise.all(Array.from({ length: rounds }, () => counter.increment())));
      };
      await Promise.all(names.map(call));
      return seen;
    };
    const seen = await Promise.all(hosts.map(callAll));
    const expected = Array.from({ length: rounds * hosts.length }, (_, index) => index + 1);
    for (const name of names) {
      const values = seen.flatMap((each) => each.get(name)!);
      deepEqual(
        values.toSorted((one, other) => one - other),
        expected,
      );
    }
  });
}

test('sockets reach objects of another host of a cluster, and end when that hands them over', async (t) => {
  const url = await server.createDatabase();
  const owner = await openHost(t, url, 'owner');
  let rooms = owner.runtime.namespace('Room');
  const listener = await serveHttp({
    port: 0,
    fetch: (request) => rooms.getByName(new URL(request.url).pathname).fetch(request),
  });
  t.after(() => listener.close({ graceMs: 0 }));
  const connect = async (): Promise<Client> => {
    const client = new Client(`${listener.url.replace('http', 'ws')}/a`, [], {});
    t.after(() => client.end());
    equal(await client.next(), 'welcome');
    return client;
  };
  // It has the object before there is another host.
  const near = await connect();
  const front = await openHost(t, url, 'front');
  for (const { cluster } of [owner, front]) await cluster.fence.renew();
  rooms = front.runtime.namespace('Room');
  const [one, two] = [await connect(), await connect()];
  equal(owner.cluster.objectCount, 1);
  equal(front.cluster.objectCount, 0);
  one.send('hello');
  for (const client of [near, one, two]) equal(await client.next(), 'hello');
  const bytes = Buffer.alloc(100_000, 7);
  one.send(bytes);
  for (const client of [near, one, two]) equal(bytes.equals((await client.next()) as Buffer), true);
  for (let i = 0; i < 100; i++) one.send(String(i));
  for (const client of [near, one, two]) for (let i = 0; i < 100; i++) equal(await client.next(), String(i));
  two.socket.close(4000, 'bye');
  deepEqual(await two.closed, [4000, 'bye answered']);
  const instance = await one.ask('instance');
  await owner.runtime.close();
  // Asked to reconnect, whether they connected through the other host or not.
  for (const client of [near, one]) equal((await client.closed)[0], 1012);
  const again = await connect();
  notEqual(await again.ask('instance'), instance);
});

test('a history of processes that are killed and stopped has no contradiction', async () => {
  const { problems, acknowledged } = await recordHistory({
    server,
    faults: ['kill', 'lose-commits', 'jump-clock', 'jump-clock', 'stop'],
    leaseMs: 2_000,
  });
  deepEqual(problems, []);
  ok(acknowledged > 30, `${acknowledged} answers`);
});
