/**
 * Hosts of a cluster whose objects compute for longer than a lease, and hosts that are killed: real processes on a real
 * PostgreSQL.
 */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { type TestContext, after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { ChildHost } from './history/child-host.ts';
import type { ChildRequest } from './history/host-child.ts';
import { PostgresServer } from './postgres-server.ts';

/** So long that waiting for the end of such a lease would exceed the time limit of a test. */
const endlessMs = 3_600_000;

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server.stop());

let numbers = 0;

class Rig {
  readonly hosts: ChildHost[] = [];
  readonly database: string;

  constructor(database: string) {
    this.database = database;
  }

  async ask(host: ChildHost, request: Omit<ChildRequest, 'number'>): Promise<unknown> {
    const answer = await host.ask({ ...request, number: ++numbers });
    if (answer === undefined) return 'ended';
    return 'error' in answer ? answer.error : answer.value;
  }

  /** An object that this host has, by its name. */
  async objectOf(owner: ChildHost): Promise<string> {
    for (let i = 0; ; i++) {
      const object = `sql object ${i}`;
      if ((await this.ask(owner, { kind: 'where', object })) === owner.pid) return object;
    }
  }

  /** The hosts that were declared dead. */
  async countDead(): Promise<number> {
    return (await server.execute('SELECT id FROM gatehouse.host WHERE dead', this.database)).length;
  }
}

async function openRig(
  t: TestContext,
  options: { readonly leaseMs: number; readonly stuckMs?: number },
): Promise<Rig> {
  const url = await server.createDatabase();
  const rig = new Rig(new URL(url).pathname.slice(1));
  t.after(() => Promise.all(rig.hosts.map((host) => host.kill())));
  for (let i = 0; i < 2; i++)
    rig.hosts.push(
      await ChildHost.start({ ...options, urls: [url], path: server.socketPath, plant: 'none' }),
    );
  return rig;
}

test('a host whose object computes for longer than its lease answers, and so do its neighbours', async (t) => {
  const leaseMs = 2_000;
  const rig = await openRig(t, { leaseMs });
  const [near, far] = rig.hosts as [ChildHost, ChildHost];
  const object = await rig.objectOf(far);
  equal(await rig.ask(near, { kind: 'increment', object }), 1);
  // For longer than a connection between hosts may be silent, too.
  const computing = rig.ask(near, { kind: 'compute', object, ms: 2.2 * leaseMs });
  const neighbour = rig.ask(near, { kind: 'increment', object });
  equal(await computing, 1);
  equal(await neighbour, 2);
  equal(await rig.ask(far, { kind: 'where', object }), far.pid);
  equal(await rig.countDead(), 0);
});

test('a host whose object computes without an end gives up its lease, and its objects go on elsewhere', async (t) => {
  const rig = await openRig(t, { leaseMs: 2_000, stuckMs: 3_000 });
  const [near, far] = rig.hosts as [ChildHost, ChildHost];
  const object = await rig.objectOf(far);
  equal(await rig.ask(near, { kind: 'increment', object }), 1);
  void rig.ask(far, { kind: 'compute', object, ms: endlessMs });
  await eventually(async () => (await rig.ask(near, { kind: 'where', object })) === near.pid, 'moved');
  equal(await rig.ask(near, { kind: 'increment', object }), 2);
});

test('a host that is killed releases its lease at once', async (t) => {
  const rig = await openRig(t, { leaseMs: endlessMs });
  const [near, far] = rig.hosts as [ChildHost, ChildHost];
  const object = await rig.objectOf(far);
  equal(await rig.ask(near, { kind: 'increment', object }), 1);
  await far.killOnly();
  await eventually(async () => (await rig.countDead()) === 1, 'released');
  const values: unknown[] = [];
  await eventually(async () => {
    values.push(await rig.ask(near, { kind: 'increment', object }));
    return typeof values.at(-1) === 'number';
  }, 'answered elsewhere');
  deepEqual(values.at(-1), 2);
  ok(values.length <= 2, `at most the call that was under way failed: ${values.join(', ')}`);
});

test('ChildHost.start fails with what the host printed, if that ends before it is ready', async () => {
  const url = new URL(await server.createDatabase());
  url.pathname = '/nowhere';
  const options = { urls: [url.href], path: server.socketPath, leaseMs: 2_000, plant: 'none' } as const;
  await rejects(ChildHost.start(options), /ended before it was ready[^]*database "nowhere" does not exist/);
});
