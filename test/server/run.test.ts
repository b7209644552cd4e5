/** `gatehouse run`: a Worker in production, from its first version to its end. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { connectOperator } from '#operator';
import { listServedAssets, writeAssets } from '../../src/program/cli/testing.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

interface Urls {
  readonly url: string;
  readonly url_https: string;
  readonly admin: string;
}

const module = (version: string, more = ''): string => `
import { DurableObject } from 'cloudflare:workers';
import http from 'node:http';
${more}
export class Counter extends DurableObject {
  async fetch(request) {
    if (request.headers.get('upgrade') === 'websocket') {
      const { 0: client, 1: server } = new WebSocketPair();
      this.ctx.acceptWebSocket(server);
      return new Response(null, { status: 101, webSocket: client });
    }
    if (request.url.endsWith('/sockets')) return Response.json(this.ctx.getWebSockets().length);
    if (request.url.endsWith('/blob')) {
      await this.ctx.storage.put('blob', new Blob(['stored'], { type: 'text/plain' }));
      return new Response(await this.ctx.storage.get('blob'));
    }
    const count = ((await this.ctx.storage.get('count')) ?? 0) + 1;
    await this.ctx.storage.put('count', count);
    return new Response('${version} ' + count);
  }
  webSocketMessage(ws, message) { ws.send('${version} ' + message); }
}
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname.includes('.')) return new Response('no asset');
    if (url.pathname === '/echo') return new Response('${version} ' + (await request.text()));
    if (url.pathname === '/about') {
      const { country, httpProtocol } = request.cf;
      return Response.json([url.protocol, request.headers.get('cf-connecting-ip'), country, httpProtocol]);
    }
    if (url.pathname === '/inside') return new Response(await fetch(url.searchParams.get('url')).then(() => 'reached', (error) => error.cause.message));
    if (url.pathname === '/inside-node') {
      return await new Promise((resolve) => {
        http.get(url.searchParams.get('url'), ({ statusCode }) => resolve(new Response('reached ' + statusCode)))
          .on('error', (error) => resolve(new Response(error.message)));
      });
    }
    if (url.pathname === '/throw') throw new Error('thrown by ${version}');
    return env.COUNTER.getByName('a').fetch(request);
  },
};`;

/** A project, and the program that runs it. */
class Deployment {
  readonly #directory: string;

  constructor(t: TestContext) {
    this.#directory = temporary(t);
    writeAssets(join(this.#directory, 'project', 'dist'));
  }

  get data(): string {
    return join(this.#directory, 'data');
  }

  write(code: string, storage: 'new_sqlite_classes' | 'new_classes' = 'new_sqlite_classes'): void {
    const config = {
      name: 'counter',
      main: 'index.js',
      compatibility_date: '2026-11-01',
      durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
      migrations: [{ tag: 'v1', [storage]: ['Counter'] }],
      assets: { directory: 'dist' },
    };
    writeFileSync(join(this.#directory, 'project', 'wrangler.json'), JSON.stringify(config));
    writeFileSync(join(this.#directory, 'project', 'index.js'), code);
  }

  async start(t: TestContext): Promise<{ readonly server: Gatehouse; readonly urls: Urls }> {
    const args = ['project', '--https-port', '0', '--admin-port', '0', '--shutdown-grace', '60s'];
    const { server, ready } = await Gatehouse.start(t, { command: 'run', directory: this.#directory, args });
    return { server, urls: ready as unknown as Urls };
  }
}

/** On a new connection. */
async function get(url: string): Promise<string> {
  const options = { agent: false, rejectUnauthorized: false } as const;
  const outgoing = url.startsWith('https:') ? requestSecurely(url, options) : request(url, options);
  outgoing.end();
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return await text(incoming);
}

async function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws'));
  await once(socket, 'open');
  return socket;
}

const closeCode = async (socket: WebSocket): Promise<number> => (await once(socket, 'close'))[0] as number;

/** The process of the Worker. */
function findWorker({ process: { pid } }: Gatehouse): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  equal(children.length, 1);
  return children[0]!;
}

test('gatehouse run serves a Worker, and changes from version to version without refusing a request', async (t) => {
  const deployment = new Deployment(t);
  const { data } = deployment;
  deployment.write(module('one'));
  const { server, urls } = await deployment.start(t);

  // It trusts no client, and reaches no private network.
  const claims = {
    'cf-connecting-ip': '1.2.3.4',
    'x-forwarded-proto': 'https',
    'gatehouse-cf': '{"country":"XX"}',
  };
  const about = await fetch(`${urls.url}/about`, { headers: { ...claims, connection: 'close' } });
  deepEqual(await about.json(), ['http:', '127.0.0.1', null, 'HTTP/1.1']);
  deepEqual(JSON.parse(await get(`${urls.url_https}/about`)), ['https:', '127.0.0.1', null, 'HTTP/1.1']);
  match(await get(`${urls.url}/inside?url=${urls.admin}/metrics`), /is a private address/);
  match(await get(`${urls.url}/inside-node?url=${urls.admin}/metrics`), /is a private address/);
  deepEqual(await listServedAssets(urls.url), ['seen.txt']);
  // Read by a thread of the program; the code of a Worker cannot have one.
  equal(await get(`${urls.url}/blob`), 'stored');
  equal(await get(`${urls.url}/throw`), 'internal error\n');
  await server.said(/thrown by one/);
  await server.said(/"message":"request".*"path":"\/throw".*"status":500/);

  // After a crash it is restarted: stored data survives, sockets and their attachments do not.
  const lost = await open(urls.url);
  equal(await get(`${urls.url}/sockets`), '1');
  equal(await get(urls.url), 'one 1');
  const cut = closeCode(lost);
  const before = findWorker(server);
  process.kill(before, 'SIGKILL');
  equal(await cut, 1006);
  // The socket stays open: new clients wait meanwhile.
  equal(await get(urls.url), 'one 2');
  equal(await get(`${urls.url}/sockets`), '0');
  equal(findWorker(server) === before, false);

  // A version that does not load changes nothing, and reports why.
  const first = await open(urls.url);
  deployment.write('export default { fetch( };');
  const operator = (await connectOperator(data))!;
  await rejects(operator.post('/deployments'), /version 1 keeps running: version 2 does not load: /);
  first.send('still here');
  equal(String((await once(first, 'message'))[0]), 'one still here');

  // One that loads takes over: its predecessor answers running requests, sockets are asked to reconnect.
  const half = request(`${urls.url}/echo`, {
    method: 'POST',
    agent: false,
    headers: { 'content-length': 6 },
  });
  half.write('abc');
  equal(await get(urls.url), 'one 3');
  deployment.write(module('two'));
  const told = closeCode(first);
  const answered = once(half, 'response') as Promise<[IncomingMessage]>;
  server.process.kill('SIGHUP');
  equal(await told, 1012);
  half.end('def');
  equal(await text((await answered)[0]), 'one abcdef');
  // It waits until the successor has the objects.
  equal(await get(urls.url), 'two 4');

  // One that loads but cannot open the objects is replaced by its predecessor.
  deployment.write(module('three'), 'new_classes');
  await rejects(operator.post('/deployments'), /version 2 is running again: version 3 does not start: /);
  equal(await get(urls.url), 'two 5');

  const { result: back } = await operator.post('/deployments/rollback');
  deepEqual([back.current, back.versions.map(({ number }) => number)], [1, [1, 2]]);
  equal(await get(urls.url), 'one 6');
  await rejects(operator.post('/deployments/rollback'), /no earlier version/);
  await rejects(
    operator.post('/deployments/rollback', { body: { version: 9 } }),
    /no version 9; stored versions: 1, 2/,
  );

  await checkMetrics(urls);
  const last = await open(urls.url);
  const ended = closeCode(last);
  equal(await server.end('SIGTERM'), 0);
  equal(await ended, 1012);
  equal(await connectOperator(data), undefined);
});

async function checkMetrics({ admin }: Urls): Promise<void> {
  const metrics = await get(`${admin}/metrics`);
  match(metrics, /gatehouse_worker_version\{worker="main"\} 1\n/);
  match(metrics, /gatehouse_worker_requests_total\{worker="main",status="2xx",version="\d+"\} [1-9]/);
  match(metrics, /gatehouse_worker_deployments_total\{worker="main",outcome="rolled back"\} 1\n/);
  const listed = readFileSync(new URL('../../docs/operate/monitoring.md', import.meta.url), 'utf8');
  for (const [, name, help, type] of metrics.matchAll(
    /^# HELP (gatehouse_worker\S+) (.*)\n# TYPE \S+ (\S+)$/gm,
  )) {
    match(listed, new RegExp(`^\\| \`${name}\` \\| ${type} \\| .* \\| ${RegExp.escape(help!)} \\|$`, 'm'));
  }
  match(await get(`${admin}/readyz`), /^ok/);
}
