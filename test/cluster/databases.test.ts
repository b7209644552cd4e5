/** A cluster of several databases: two of one server, each reached through a separate proxy that can be cut. */
import { deepEqual, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { type Cluster, joinCluster, readClusterStatus } from '#cluster';
import { DurableObject, type DurableObjectNamespace, type Runtime, createRuntime } from '#objects';
import { eventually } from '../eventually.ts';
import { FaultProxy } from './fault-proxy.ts';
import { PostgresServer, urlThrough } from './postgres-server.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 30_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

class Counter extends DurableObject {
  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  async wake(time: number): Promise<void> {
    await this.ctx.storage.setAlarm(time);
  }

  async alarm(): Promise<void> {
    await this.ctx.storage.put('rang', true);
  }

  async rang(): Promise<boolean> {
    return (await this.ctx.storage.get('rang')) === true;
  }
}

interface Host {
  readonly runtime: Runtime;
  readonly cluster: Cluster;
}

interface HostOptions {
  readonly leaseMs?: number;
  readonly waitMs?: number;
  readonly listen?: object;
}

async function openHost(t: TestContext, url: readonly string[], options: HostOptions = {}): Promise<Host> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-databases-'));
  const cluster = await joinCluster({ url, leaseMs, ...options });
  const runtime = await createRuntime({
    cluster,
    directory,
    classes: { Kv: { class: Counter }, Sql: { class: Counter, storage: 'sql' } },
    log: () => {},
  });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { runtime, cluster };
}

/** Names of objects, by the database that has them. */
async function whereAre(urls: readonly string[]): Promise<Record<string, string[]>> {
  const places: Record<string, string[]> = {};
  for (const url of urls) {
    const { hash, pathname } = new URL(url);
    const rows = await server.execute(
      "SELECT convert_from(f.name, 'UTF8') AS name FROM gatehouse.head h JOIN gatehouse.fact f USING (object)",
      pathname.slice(1),
    );
    places[hash.slice(1)] = rows.map(({ name }) => String(name)).toSorted();
  }
  return places;
}

async function createDatabases(names: readonly string[]): Promise<string[]> {
  const urls: string[] = [];
  for (const name of names) urls.push(`${await server.createDatabase()}#${name}`);
  return urls;
}

const objects = Array.from({ length: 16 }, (_, index) => `object ${index}`);

function stubOf({ runtime }: Host, name: string): ReturnType<DurableObjectNamespace<Counter>['getByName']> {
  const kind = Number(name.split(' ').at(-1)) % 2 === 0 ? 'Kv' : 'Sql';
  return runtime.namespace<Counter>(kind).getByName(name);
}

async function incrementAll(host: Host, names: readonly string[] = objects): Promise<number[]> {
  return await Promise.all(names.map((name) => stubOf(host, name).increment()));
}

function listNames({ runtime }: Host, kind: string): Promise<Array<string | undefined>> {
  return Array.fromAsync(runtime.objects(kind), ({ name }) => name);
}

test('objects of a cluster are spread over its databases, and found whatever the order of the URLs', async (t) => {
  const urls = await createDatabases(['a', 'b']);
  const first = await openHost(t, urls);
  deepEqual(new Set(await incrementAll(first)), new Set([1]));
  const places = await whereAre(urls);
  ok(places['a']!.length > 2 && places['b']!.length > 2, JSON.stringify(places));
  await stubOf(first, objects[0]!).wake(Date.now());
  await first.runtime.close();
  const second = await openHost(t, urls.toReversed());
  deepEqual(new Set(await incrementAll(second)), new Set([2]));
  deepEqual(await whereAre(urls), places);
  await eventually(() => stubOf(second, objects[0]!).rang());
  const names = [...(await listNames(second, 'Kv')), ...(await listNames(second, 'Sql'))];
  deepEqual(names.toSorted(), objects.toSorted());
});

test('a call reaches its object through another host, whichever database it is in', async (t) => {
  const urls = await createDatabases(['a', 'b']);
  const hosts = [await openHost(t, urls, { listen: {} }), await openHost(t, urls, { listen: {} })];
  for (const { cluster } of hosts) await Promise.all(cluster.shards.map((each) => each.membership.renew()));
  for (const [round, host] of [...hosts, ...hosts].entries())
    deepEqual(new Set(await incrementAll(host)), new Set([round + 1]));
  // A host that is too busy to answer gets none: then others are created through it.
  let count = objects.length;
  await eventually(async () => {
    if (hosts.every(({ cluster }) => cluster.objectCount > 0)) return true;
    await stubOf(hosts[count % 2]!, `object ${count++}`).increment();
    return false;
  }, 'both hosts have objects');
  const status = await readClusterStatus(urls);
  deepEqual([status.objects, status.unowned, status.hosts.length], [count, 0, 4]);
  deepEqual(new Set(status.hosts.map(({ database }) => database)), new Set(['a', 'b']));
  await hosts[0]!.runtime.close();
  deepEqual(new Set(await incrementAll(hosts[1]!)), new Set([5]));
});

test('a database that is away stops its own objects, and no others', async (t) => {
  const [urlA, urlB] = (await createDatabases(['a', 'b'])) as [string, string];
  const proxy = await FaultProxy.start({ path: server.socketPath });
  const urls = [urlA, urlThrough(urlB, proxy)];
  const host = await openHost(t, urls);
  t.after(() => proxy.stop());
  await incrementAll(host);
  const places = await whereAre([urlA, urlB]);
  proxy.cut();
  const call = (place: string): Promise<number[]> => incrementAll(host, places[place]);
  const waiting = call('b');
  deepEqual(new Set(await call('a')), new Set([2]));
  await host.runtime.checkWritable();
  proxy.heal();
  deepEqual(new Set(await waiting), new Set([2]));
});

test('a host starts while a database is away, and has its objects when that answers', async (t) => {
  const [urlA, urlB] = (await createDatabases(['a', 'b'])) as [string, string];
  const proxy = await FaultProxy.start({ path: server.socketPath });
  t.after(() => proxy.stop());
  const urls = [urlThrough(urlA, proxy), urlB];
  const first = await openHost(t, urls);
  await incrementAll(first);
  await first.runtime.close();
  proxy.cut();
  const second = await openHost(t, urls);
  const { b } = await whereAre([urlB]);
  const waiting = incrementAll(
    second,
    objects.filter((name) => !b!.includes(name)),
  );
  deepEqual(new Set(await incrementAll(second, b)), new Set([2]));
  proxy.heal();
  deepEqual(new Set(await waiting), new Set([2]));
});

test('a database that is added gets objects that are created from then on, and none moves', async (t) => {
  const urls = await createDatabases(['a', 'b', 'c']);
  const two = urls.slice(0, 2);
  const first = await openHost(t, two, { leaseMs: 5_000 });
  await incrementAll(first);
  const before = await whereAre(two);
  await rejects(joinCluster({ url: urls, leaseMs: 5_000 }), {
    code: 'CLUSTER_MISMATCH',
    message: /while its host \w+ runs.*stop all hosts/,
  });
  await first.runtime.close();
  const second = await openHost(t, urls);
  deepEqual(new Set(await incrementAll(second)), new Set([2]));
  const more = objects.map((name) => `later ${name}`);
  deepEqual(new Set(await incrementAll(second, more)), new Set([1]));
  const after = await whereAre(urls);
  for (const name of ['a', 'b'])
    deepEqual(
      after[name]!.filter((each) => objects.includes(each)),
      before[name],
    );
  ok(after['c']!.length > 0 && after['c']!.every((name) => more.includes(name)));
  await second.runtime.close();
  // A host without any cached state finds objects of both kinds again.
  const third = await openHost(t, urls.toReversed());
  deepEqual(new Set(await incrementAll(third, more)), new Set([2]));
  deepEqual(new Set(await incrementAll(third)), new Set([3]));
});

test('joinCluster refuses a list of databases that is not that of the cluster', async () => {
  const [a, b, c] = (await createDatabases(['a', 'b', 'c'])) as [string, string, string];
  await (await joinCluster({ url: [a, b] })).leave();
  await rejects(joinCluster({ url: a }), {
    code: 'CLUSTER_MISMATCH',
    message: /has objects in the database "b", whose URL was not given/,
  });
  await rejects(joinCluster({ url: [a.replace('#a', '#b'), b.replace('#b', '#a')] }), {
    code: 'CLUSTER_MISMATCH',
    message: /"b": it calls itself "a"/,
  });
  await (await joinCluster({ url: c })).leave();
  await rejects(joinCluster({ url: [a, b, c] }), {
    code: 'CLUSTER_MISMATCH',
    message: /belong to different clusters/,
  });
});
