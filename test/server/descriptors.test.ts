/** A program with few descriptors: clients that take as many as they can neither crash it nor lock others out. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { TestOrigin } from '../edge/test-origin.ts';
import { WorkerSite } from '../edge/worker-site.ts';

const descriptors = 200;
/** Without credentials. */
const openConnections = 2 * descriptors;

/** Resolves when each of them is open, or was refused. */
async function openMany(t: TestContext, url: string, start: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const opened = Array.from({ length: openConnections }, () => {
    const socket = connect(Number(port), hostname);
    t.after(() => socket.destroy());
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.once('connect', () => socket.write(start, () => resolve()));
    return promise;
  });
  await Promise.all(opened);
}

/** Resolves to the status. */
async function ask(agent: Agent, url: string, token: string): Promise<number> {
  const outgoing = get(url, { agent, headers: { authorization: `Bearer ${token}` } });
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  await once(incoming, 'end');
  return incoming.statusCode!;
}

test('gatehouse serve with 200 descriptors answers others while strangers take all that they can get', async (t) => {
  await using origin = await TestOrigin.listen();
  const site = await WorkerSite.start(t, { descriptors, environment: { GATEHOUSE_ADMIN_PORT: '0' } });
  await site.call(`PUT /zones/${site.zone.id}/edge`, { origin: { url: origin.url } });
  const { api, admin, edge, token } = site.ready;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const zones = `${api}/zones`;
  equal(await ask(agent, zones, token), 200);
  const kept = Object.values(agent.freeSockets).flat();
  const before = site.listWorkers();
  const body = 'host: h\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{';
  for (const [url, start] of [
    [api, ''],
    [api, `POST /session HTTP/1.1\r\n${body}`],
    [admin!, ''],
    [edge, ''],
    [edge, `POST / HTTP/1.1\r\n${body}`],
  ] as const) {
    await openMany(t, url, start);
    for (let asked = 0; asked < 3; asked++) {
      const fresh = new Agent();
      const answered = [await ask(fresh, zones, token), await ask(fresh, `${admin}/livez`, '')];
      deepEqual([...answered, (await site.send('/')).status], [200, 200, 200], `${url} ${start}`);
    }
  }
  // The connection of an authenticated client outlives those of unauthenticated ones.
  equal(await ask(agent, zones, token), 200);
  deepEqual(Object.values(agent.freeSockets).flat(), kept);
  deepEqual(site.listWorkers(), before);
});
