/** A zone whose origin is a Worker that `gatehouse serve` runs: the firewall stands in front of the objects. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { WorkerSite } from './worker-site.ts';

const chat = `
import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  fetch() {
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }
  webSocketMessage(ws, message) { ws.send('heard ' + message); }
}
export class Visitor extends DurableObject {
  async fetch(request) {
    const count = (await this.ctx.storage.get('count') ?? 0) + 1;
    await this.ctx.storage.put('count', count);
    const { pathname, search } = new URL(request.url);
    if (pathname === '/asked/hangs') await new Promise(() => {});
    if (pathname === '/asked/throws') throw new Error('no answer');
    if (pathname === '/asked/again') return fetch(request.url, { headers: request.headers });
    if (pathname === '/asked/around') return fetch('http://127.0.0.1:' + new URL(request.url).searchParams.get('port') + pathname + search);
    const headers = { 'x-visits': count, 'x-name': encodeURIComponent(this.ctx.id.name) };
    return new Response(count > 2 ? 'enough' : null, { status: count > 2 ? 429 : 204, headers });
  }
}
export default {
  async fetch(request, env) {
    if (request.headers.get('upgrade') === 'websocket') return env.Room.getByName('a').fetch(request);
    const { headers, cf, url, method } = request;
    return Response.json({
      url, method, body: await request.text(),
      address: headers.get('cf-connecting-ip'), ray: headers.has('cf-ray'), told: headers.has('gatehouse-cf'),
      colo: cf.colo, protocol: cf.httpProtocol, visits: headers.get('x-visits') ?? undefined,
      name: headers.get('x-name') ?? undefined,
    });
  },
};`;

async function readVisit(site: WorkerSite, path: string): Promise<readonly unknown[]> {
  const { status, body } = await site.send(path);
  if (status !== 200) return [status, body];
  const { visits, name } = JSON.parse(body);
  return [status, visits, name];
}

test('a Worker is the origin of a zone: judged requests and sockets reach it, without the network', async (t) => {
  const directory = temporary(t);
  mkdirSync(join(directory, 'chat'));
  writeFileSync(join(directory, 'chat', 'index.js'), chat);
  const others = {
    broken: 'export default {',
    loops: 'for (;;);',
    waits: 'await new Promise(() => {}); export default {};',
  };
  for (const [worker, code] of Object.entries(others))
    writeFileSync(join(directory, 'chat', `${worker}.js`), code);
  const names = Object.keys(others).map((worker) => `${worker}=chat/${worker}.js`);
  const args = ['--workers', ['chat=chat/index.js', ...names].join(','), '--object-host-stuck', '3s'];
  const site = await WorkerSite.start(t, { directory, workers: 1, args });
  const { id, name } = site.zone;
  await site.server.said(/a Worker is not running.*broken/);
  await site.server.said(
    /a Worker is not running.*loops.*event loop did not turn for \d+ ms \(loading .*loops\.js/,
  );
  await site.server.said(/a Worker is not running.*waits.*waits\.js does not finish loading: after 3000 ms/);
  const setOrigin = (origin: object): Promise<void> => site.call(`PUT /zones/${id}/edge`, { origin });
  await setOrigin({ worker: 'chat' });
  await site.call(`POST /zones/${id}/firewall/rules`, [
    { action: 'block', filter: { expression: 'http.request.uri.path contains "/secret"' } },
  ]);
  await eventually(async () => (await site.send('/secret')).status === 403, 'the rule is in force');
  const { status, body } = await site.send('/a?b=c', { body: 'posted' });
  equal(status, 200);
  deepEqual(JSON.parse(body), {
    url: `http://${name}/a?b=c`,
    method: 'POST',
    body: 'posted',
    address: '127.0.0.1',
    ray: true,
    told: false,
    colo: 'LOCAL',
    protocol: 'HTTP/1.1',
  });

  const asks = (className: string): object => ({
    action: 'ask',
    expression: 'starts_with(http.request.uri.path, "/asked")',
    action_parameters: {
      object: {
        worker: 'chat',
        class_name: className,
        name: { expression: 'url_decode(http.request.uri.args["n"][0])' },
      },
      timeout_ms: 2_000,
      default_action: 'block',
      copy_headers: ['x-visits', 'x-name'],
    },
  });
  const ask = (rules: object[]): Promise<void> =>
    site.call(`PUT /zones/${id}/rulesets/phases/gatehouse_ask/entrypoint`, { rules });
  await ask([asks('Visitor')]);
  await eventually(async () => (await site.send('/asked')).status === 403, 'an object without a name');
  const answers: (readonly unknown[])[] = [];
  for (const path of ['/asked/a?n=%C3%BC b', '/asked/a?n=%C3%BC b', '/asked/a?n=%C3%BC b', '/asked/b?n=c'])
    answers.push(await readVisit(site, path.replace(' ', '%20')));
  deepEqual(answers, [
    [200, '1', '%C3%BC%20b'],
    [200, '2', '%C3%BC%20b'],
    [429, 'enough'],
    [200, '1', 'c'],
  ]);
  // It hangs, throws, and requests the URL it is asked about: the default applies each time.
  for (const path of ['/asked/hangs?n=h', '/asked/throws?n=t', '/asked/again?n=g'])
    equal((await site.send(path)).status, 403, path);
  // Its own request returns through a proxy without the header that marks it: concurrent requests stay within the
  // limit.
  let around = 0;
  const { port } = new URL(site.ready.edge);
  const proxy = createServer(({ url }, response) => {
    around++;
    const through = request({ port, host: '127.0.0.1', path: url, headers: { host: name } }, (answer) => {
      response.writeHead(answer.statusCode!);
      answer.pipe(response);
    });
    through.on('error', () => response.destroy()).end();
    response.on('close', () => through.destroy());
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  t.after(() => proxy.close());
  const loop = `/asked/around?n=r&port=${(proxy.address() as AddressInfo).port}`;
  equal((await site.send(loop)).status, 403);
  ok(around >= 1 && around <= 256, `${around} times around`);
  proxy.closeAllConnections();
  equal((await readVisit(site, '/asked/b?n=still'))[0], 200);
  await ask([asks('Absent')]);
  await eventually(async () => (await site.send('/asked/b?n=d')).status === 403, 'a class that is not there');
  // Only the edge can choose an object.
  const chosen = await site.send('/a', { headers: { 'gatehouse-zone': `${name} Visitor Yg` } });
  equal(chosen.status, 200);

  const socket = new WebSocket(site.ready.edge.replace('http', 'ws'), { headers: { host: name } });
  await once(socket, 'open');
  socket.send('a message');
  equal(String((await once(socket, 'message'))[0]), 'heard a message');

  await eventually(() => {
    const lines = readFileSync(join(directory, 'data/logs/edge-access.log'), 'utf8');
    return (
      lines.includes('"target":"/a?b=c"') && lines.includes('"origin":"worker:chat","origin_status":200')
    );
  }, 'the access log names the Worker');
  equal(
    (await site.readMetric('gatehouse_worker_requests_total', '{worker="chat",status="2xx",version="1"}')) >=
      1,
    true,
  );

  await setOrigin({ worker: 'broken' });
  await eventually(async () => (await site.send('/')).status === 502, 'a Worker that does not run');
  const closed = once(socket, 'close');
  equal(await site.server.end('SIGTERM'), 0);
  equal((await closed)[0], 1012);
});
