/** `gatehouse run`: a Worker in production, from its first version to its end. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { askDeployer } from '#server';
import { Gatehouse, temporary } from './gatehouse.ts';

interface Urls {
  readonly url: string;
  readonly url_https: string;
  readonly admin: string;
}

const module = (version: string, more = ''): string => `
import { DurableObject } from 'cloudflare:workers';
${more}
export class Counter extends DurableObject {
  async fetch(request) {
    if (request.headers.get('upgrade') === 'websocket') {
      const { 0: client, 1: server } = new WebSocketPair();
      this.ctx.acceptWebSocket(server);
      return new Response(null, { status: 101, webSocket: client });
    }
    if (request.url.endsWith('/sockets')) return Response.json(this.ctx.getWebSockets().length);
    const count = ((await this.ctx.storage.get('count')) ?? 0) + 1;
    await this.ctx.storage.put('count', count);
    return new Response('${version} ' + count);
  }
  webSocketMessage(ws, message) { ws.send('${version} ' + message); }
}
export default {
  async fetch(request, env) {
    const url = new URL(request.url);
    if (url.pathname === '/echo') return new Response('${version} ' + (await request.text()));
    if (url.pathname === '/about') {
      const { country, httpProtocol } = request.cf;
      return Response.json([url.protocol, request.headers.get('cf-connecting-ip'), country, httpProtocol]);
    }
    if (url.pathname === '/inside') return new Response(await fetch(url.searchParams.get('url')).then(() => 'reached', (error) => error.cause.message));
    if (url.pathname === '/throw') throw new Error('thrown by ${version}');
    return env.COUNTER.getByName('a').fetch(request);
  },
};`;

/** A project, and the program that runs it. */
class Deployment {
  readonly #directory: string;

  constructor(t: TestContext) {
    this.#directory = temporary(t);
    mkdirSync(join(this.#directory, 'project'));
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
    };
    writeFileSync(join(this.#directory, 'project', 'wrangler.json'), JSON.stringify(config));
    writeFileSync(join(this.#directory, 'project', 'index.js'), code);
  }

  async start(t: TestContext): Promise<{ readonly server: Gatehouse; readonly urls: Urls }> {
    const args = ['project', '--https-port', '0', '--admin-port', '0', '--log-format', 'json'];
    const { server, ready } = await Gatehouse.start(t, { command: 'run', directory: this.#directory, args });
    return { server, urls: ready as unknown as Urls };
  }
}

/** On a connection of its own. */
async function get(url: string): Promise<string> {
  const outgoing = request(url, { agent: false, rejectUnauthorized: false } as object);
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

test('gatehouse run changes from version to version, and back, without refusing a request', async (t) => {
  const deployment = new Deployment(t);
  const { data } = deployment;
  deployment.write(module('one'));
  const { server, urls } = await deployment.start(t);
  equal(await get(urls.url), 'one 1');

  // A version that does not load changes nothing, and says why.
  const first = await open(urls.url);
  deployment.write('export default { fetch( };');
  await rejects(askDeployer(data, { do: 'deploy' }), /version 2 does not load: .*; version 1 goes on$/s);
  first.send('still here');
  equal(String((await once(first, 'message'))[0]), 'one still here');

  // One that does takes over: what was under way is answered by its predecessor, sockets are told to come back.
  const half = request(`${urls.url}/echo`, {
    method: 'POST',
    agent: false,
    headers: { 'content-length': 6 },
  });
  half.write('abc');
  equal(await get(urls.url), 'one 2');
  deployment.write(module('two'));
  const told = closeCode(first);
  const answered = once(half, 'response') as Promise<[IncomingMessage]>;
  server.process.kill('SIGHUP');
  equal(await told, 1012);
  half.end('def');
  equal(await text((await answered)[0]), 'one abcdef');
  // It waits until the successor has the objects.
  equal(await get(urls.url), 'two 3');
  equal((await askDeployer(data, { do: 'deploy' }))!.isChanged, false);

  // One that loads and cannot have the objects is followed by the one before.
  deployment.write(module('three'), 'new_classes');
  await rejects(askDeployer(data, { do: 'deploy' }), /version 3 does not start: .*; version 2 runs again$/s);
  equal(await get(urls.url), 'two 4');

  const back = (await askDeployer(data, { do: 'roll back' }))!;
  deepEqual([back.current, back.versions.map(({ number }) => number)], [1, [1, 2]]);
  equal(await get(urls.url), 'one 5');
  await rejects(askDeployer(data, { do: 'roll back' }), /no earlier version/);
  await rejects(
    askDeployer(data, { do: 'roll back', version: 9 }),
    /no version 9; those that are kept: 1, 2/,
  );
  equal((await askDeployer(data, { do: 'roll back', version: 2 }))!.current, 2);

  const metrics = await get(`${urls.admin}/metrics`);
  const listed = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
  for (const [, name, help, type] of metrics.matchAll(
    /^# HELP (gatehouse_worker\S+) (.*)\n# TYPE \S+ (\S+)$/gm,
  ))
    match(listed, new RegExp(`^\\| \`${name}\` \\| ${type} \\| .* \\| ${RegExp.escape(help!)} \\|$`, 'm'));
  match(metrics, /gatehouse_worker_version\{worker="main"\} 2\n/);
  match(metrics, /gatehouse_worker_requests_total\{worker="main",status="2xx"\} [1-9]/);
  match(metrics, /gatehouse_worker_deployments_total\{worker="main",outcome="rolled back"\} 1\n/);
  equal(await get(`${urls.admin}/readyz`).then((page) => page.startsWith('ok')), true);

  // The end of the program.
  const last = await open(urls.url);
  const ended = closeCode(last);
  equal(await server.end('SIGTERM'), 0);
  equal(await ended, 1012);
  equal(await askDeployer(data, { do: 'list' }), undefined);
});

test('gatehouse run believes no client, reaches no private network, and starts again after a crash', async (t) => {
  const deployment = new Deployment(t);
  deployment.write(module('one', "if (globalThis.process.env.NEVER) throw new Error('never');"));
  const { server, urls } = await deployment.start(t);
  const about = await fetch(`${urls.url}/about`, {
    headers: {
      'cf-connecting-ip': '1.2.3.4',
      'x-forwarded-proto': 'https',
      'gatehouse-cf': '{"country":"XX"}',
    },
  });
  deepEqual(await about.json(), ['http:', '127.0.0.1', null, 'HTTP/1.1']);
  const secure = spawn(
    process.execPath,
    ['-e', `fetch(${JSON.stringify(`${urls.url_https}/about`)}).then((r) => r.text()).then(console.log)`],
    { env: { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  deepEqual(JSON.parse(await text(secure.stdout)), ['https:', '127.0.0.1', null, 'HTTP/1.1']);
  match(await get(`${urls.url}/inside?url=${urls.admin}/metrics`), /is a private address/);

  equal((await fetch(`${urls.url}/throw`)).status, 500);
  await server.said(/thrown by one/);
  await server.said(/"message":"request".*"path":"\/throw".*"status":500/);

  equal(await get(urls.url), 'one 1');
  const socket = await open(urls.url);
  equal(await get(`${urls.url}/sockets`), '1');
  const lost = closeCode(socket);
  const before = findWorker(server);
  process.kill(before, 'SIGKILL');
  // The socket stays: whoever comes meanwhile waits.
  equal(await get(urls.url), 'one 2');
  equal(await lost, 1006);
  equal(await get(`${urls.url}/sockets`), '0');
  equal(findWorker(server) === before, false);
  equal(await server.end('SIGTERM'), 0);
});

/** The process of the Worker. */
function findWorker({ process: { pid } }: Gatehouse): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  equal(children.length, 1, fileURLToPath(import.meta.url));
  return children[0]!;
}
