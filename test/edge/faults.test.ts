/** The edge while other components fail: origins, the activity log, the control plane. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { ServedEdge } from './served-edge.ts';

async function waitUntilLogged(served: ServedEdge): Promise<void> {
  await served.serve('enterprise');
  await served.do(`POST /zones/${served.control.zone('enterprise')}/firewall/rules`, [
    { action: 'log', filter: { expression: 'http.request.method eq "GET"' } },
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/no"' } },
  ]);
}

/** A port without a listener. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

test('an origin that is down is answered with 502, and the event says so', async () => {
  await using served = await ServedEdge.open();
  await waitUntilLogged(served);
  const url = `http://127.0.0.1:${await closedPort()}`;
  await served.do(`PUT /zones/${served.control.zone('enterprise')}/edge`, { origin: { url } });
  const answer = await served.send('/');
  equal(answer.status, 502);
  deepEqual(
    (await served.eventsOf(answer)).map(({ action, edgeResponseStatus, originResponseStatus }) => [
      action,
      edgeResponseStatus,
      originResponseStatus,
    ]),
    [['log', 502, 0]],
  );
  equal((await served.send('/no')).status, 403, 'rules are in force all the same');
});

test('an origin that fails is passed on, and the event has its status', async () => {
  await using served = await ServedEdge.open();
  await waitUntilLogged(served);
  const answer = await served.send('/503/busy');
  equal(answer.status, 503);
  deepEqual(
    (await served.eventsOf(answer)).map(({ edgeResponseStatus, originResponseStatus }) => [
      edgeResponseStatus,
      originResponseStatus,
    ]),
    [[503, 503]],
  );
});

test('a zone without an origin is answered with 503, a name of no zone with 421', async () => {
  await using served = await ServedEdge.open();
  const answer = await served.send('/');
  equal(answer.status, 503);
  match(answer.body, /has no origin yet/);
  equal((await served.send('/', { host: 'nobody.example' })).status, 421);
  equal((await served.send('/', { host: 'notenterprise.example' })).status, 421);
  equal((await served.send('/', { host: 'below.enterprise.example' })).status, 503);
  equal((await served.send('/', { host: '127.0.0.1' })).status, 421);
});

test('origins on private addresses, and our own listener, are refused unless the operator allows the former', async () => {
  await using strict = await ServedEdge.open({ addresses: {} });
  await strict.serve('enterprise');
  const refused = await strict.send('/');
  equal(refused.status, 502);
  deepEqual(strict.origin.take(), []);
  await using served = await ServedEdge.open();
  await served.do(`PUT /zones/${served.control.zone('enterprise')}/edge`, {
    origin: { url: `http://127.0.0.1:${served.port}` },
  });
  equal((await served.send('/')).status, 502);
});

test('an activity log that fails stops no request, and lost events are counted', async () => {
  await using served = await ServedEdge.open({
    writeEvents: () => Promise.reject(new Error('the disk is full')),
  });
  await waitUntilLogged(served);
  for (let count = 0; count < 20; count++) {
    equal((await served.send('/')).status, 200);
    equal((await served.send('/no')).status, 403);
  }
  await served.edge.flushEvents();
  const { events } = served.edge.stats();
  deepEqual([events.written, events.dropped, events.queued], [0, 60, 0]);
});

test('an activity log that does not answer delays no request', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  await using served = await ServedEdge.open({ writeEvents: () => promise });
  await waitUntilLogged(served);
  for (let count = 0; count < 50; count++) equal((await served.send('/')).status, 200);
  equal(served.edge.stats().events.written, 0);
  resolve();
  await served.edge.flushEvents();
  equal(served.edge.stats().events.written, 50);
});

test('the edge keeps its configurations when the control plane is gone', async () => {
  await using served = await ServedEdge.open();
  await waitUntilLogged(served);
  equal((await served.send('/')).status, 200);
  await served.edge.flushEvents();
  await served.control.control.close();
  equal((await served.send('/')).status, 200);
  equal((await served.send('/no')).status, 403);
  await served.edge.flushEvents();
  equal(served.edge.stats().events.dropped, 3, 'there is nowhere to keep them');
});

test('a configuration that cannot be loaded is retried until it can', async () => {
  let failures = 0;
  await using served = await ServedEdge.open({
    source: (real) => ({
      ...real,
      readZone: (zoneId) => (failures-- > 0 ? Promise.reject(new Error('away')) : real.readZone(zoneId)),
    }),
  });
  await waitUntilLogged(served);
  equal((await served.send('/later')).status, 200);
  failures = 5;
  await served.do(`POST /zones/${served.control.zone('enterprise')}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path eq "/later"' } },
  ]);
  equal((await served.send('/later')).status, 403);
  const warning = 'could not load the configuration of a zone; keeping the current one and trying again';
  ok(served.lines.filter(({ message }) => message === warning).length >= 5);
});

test('a subdomain zone that cannot be loaded is not served by the rules of its parent', async () => {
  let isAway = true;
  await using served = await ServedEdge.open({
    source: (real) => ({
      ...real,
      readZone: (zoneId) =>
        isAway && real.findZone(zoneId)?.name.startsWith('shop.') === true
          ? Promise.reject(new Error('away'))
          : real.readZone(zoneId),
    }),
  });
  await served.serve('enterprise');
  const parent = served.host('enterprise');
  const host = `shop.${parent}`;
  equal((await served.send('/', { host })).status, 200);
  const account = { id: served.control.control.directory.accountId };
  const { result } = await served.control.call('POST /zones', { body: { name: host, account } });
  await eventuallyStatus(served, host, 503);
  equal((await served.send('/', { host: `www.${host}` })).status, 503);
  equal((await served.send('/', { host: `www.${parent}` })).status, 200);
  isAway = false;
  await served.do(`PUT /zones/${result.id}/edge`, { origin: { url: served.origin.url } });
  equal((await served.send('/', { host })).status, 200);
});

test('a zone that comes, changes its state or goes is served accordingly', async () => {
  await using served = await ServedEdge.open();
  const account = { id: served.control.control.directory.accountId };
  const { result } = await served.do('POST /zones', { name: 'fresh.example', account });
  equal((await served.send('/', { host: 'fresh.example' })).status, 503);
  await served.do(`PUT /zones/${result.id}/edge`, { origin: { url: served.origin.url } });
  equal((await served.send('/', { host: 'fresh.example' })).status, 200);
  await served.do(`DELETE /zones/${result.id}`);
  await eventuallyStatus(served, 'fresh.example', 421);
  // The same name, another zone.
  const { result: again } = await served.do('POST /zones', { name: 'fresh.example', account });
  await served.do(`PUT /zones/${again.id}/edge`, { origin: { url: served.origin.url } });
  equal((await served.send('/', { host: 'fresh.example' })).status, 200);
});

async function eventuallyStatus(served: ServedEdge, host: string, status: number): Promise<void> {
  const isSo = async (): Promise<boolean> => (await served.send('/', { host })).status === status;
  await eventually(isSo, `${status} of ${host}`);
}
