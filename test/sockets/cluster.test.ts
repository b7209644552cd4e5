import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Cluster, joinCluster } from '#cluster';
import { type Runtime, createRuntime } from '#objects';
import { serveHttp, useLightFetch } from '#workers';
import { PostgresServer } from '../cluster/postgres-server.ts';
import { classes } from './hosted-objects.ts';
import { Client } from './site.ts';

/** Long enough that a busy machine is not mistaken for a dead one. */
const leaseMs = 60_000;

async function openHost(t: TestContext, url: string): Promise<{ runtime: Runtime; cluster: Cluster }> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-socket-cluster-'));
  const cluster = await joinCluster({ url, leaseMs, listen: {} });
  const runtime = await createRuntime({ cluster, directory, classes: classes as never, log: () => {} });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { runtime, cluster };
}

test('sockets reach objects of another host of a cluster, and end when that hands them over', async (t) => {
  useLightFetch();
  const server = await PostgresServer.start();
  t.after(() => server.stop());
  const url = await server.createDatabase();
  const owner = await openHost(t, url);
  const front = await openHost(t, url);
  // It has the object before the other host is asked.
  await owner.runtime.namespace('Room').getByName('/a').fetch('http://object/a').then(() => {}, () => {});
  for (const { cluster } of [owner, front]) await cluster.fence.renew();
  const rooms = front.runtime.namespace('Room');
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
  const [one, two] = [await connect(), await connect()];
  equal(owner.cluster.objectCount, 1);
  equal(front.cluster.objectCount, 0);
  one.send('hello');
  deepEqual([await one.next(), await two.next()], ['hello', 'hello']);
  const bytes = Buffer.alloc(100_000, 7);
  one.send(bytes);
  for (const client of [one, two]) equal(bytes.equals((await client.next()) as Buffer), true);
  for (let i = 0; i < 100; i++) one.send(String(i));
  for (const client of [one, two]) for (let i = 0; i < 100; i++) equal(await client.next(), String(i));
  two.socket.close(4000, 'bye');
  deepEqual(await two.closed, [4000, 'bye answered']);
  const instance = await one.ask('instance');
  await owner.runtime.close();
  equal([1006, 1012].includes((await one.closed)[0]), true);
  const again = await connect();
  notEqual(await again.ask('instance'), instance);
});
