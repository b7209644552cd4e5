/** Servers of `node:http` in a Worker, with the requests that `cloudflare:node` passes to them. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { serveHttp } from './serve/http-server.ts';
import { createProject, type StartedWorker, startWorker } from './testing.ts';

async function start(t: TestContext, main: string): Promise<StartedWorker> {
  const path = createProject(t, {
    'wrangler.json': {
      name: 'servers',
      main: 'index.mjs',
      compatibility_date: '2026-11-01',
      vars: { GREETING: 'hello' },
    },
    'index.mjs': main,
  });
  symlinkSync(join(import.meta.dirname, '..', '..', '..', 'node_modules'), join(path, 'node_modules'));
  return await startWorker(t, { path });
}

test('httpServerHandler answers by a server of node:http, which opens no port', async (t) => {
  const { fetch, text } = await start(
    t,
    `import { env } from 'cloudflare:workers';
     import { handleAsNodeRequest, httpServerHandler } from 'cloudflare:node';
     import http, { createServer } from 'node:http';
     import net from 'node:net';
     const server = createServer(async (request, response) => {
       const { pathname } = new URL(request.url, 'http://server');
       if (pathname === '/empty') return response.writeHead(204).end();
       if (pathname === '/cookies') {
         response.setHeader('Set-Cookie', ['a=1', 'b=2']);
         response.statusMessage = 'Fine';
       }
       if (pathname === '/stream') {
         response.write('one,');
         return setImmediate(() => response.end('two'));
       }
       if (pathname === '/port') {
         const socket = net.connect(8080, '127.0.0.1');
         const open = await new Promise((resolve) => socket.once('connect', () => resolve(true)).once('error', () => resolve(false)));
         return response.end(JSON.stringify([server.address().port, server.listening, open]));
       }
       let body = '';
       for await (const chunk of request) body += chunk;
       response.end([request.method, request.url, request.headers.host, request.headers['x-test'], body, env.GREETING].join(' '));
     });
     server.listen(48080);
     const other = new http.Server((request, response) => response.end('by handleAsNodeRequest'));
     const handler = httpServerHandler({ port: 48080 }, { scheduled() {} });
     export default {
       ...handler,
       fetch(request, ...rest) {
         const { pathname } = new URL(request.url);
         if (pathname === '/other') return handleAsNodeRequest(other, request);
         if (pathname === '/absent') return handleAsNodeRequest(1, request).catch((error) => new Response(error.message));
         return handler.fetch(request, ...rest);
       },
     };`,
  );
  const init = { method: 'POST', body: 'body', headers: { 'x-test': 'yes' } };
  equal(await (await fetch('/a/b?c=1', init)).text(), 'POST /a/b?c=1 worker.test yes body hello');
  const empty = await fetch('/empty');
  deepEqual([empty.status, empty.body], [204, null]);
  const cookies = await fetch('/cookies', { method: 'HEAD' });
  deepEqual(
    [cookies.headers.getSetCookie(), cookies.statusText, await cookies.text()],
    [['a=1', 'b=2'], 'Fine', ''],
  );
  equal(await text('/stream'), 'one,two');
  deepEqual(JSON.parse(await text('/port')), [48080, true, false]);
  equal(await text('/other'), 'by handleAsNodeRequest');
  match(await text('/absent'), /^Http server with port 1 not found\./);
});

test('httpServerHandler answers requests with bodies that come over a connection', async (t) => {
  const { worker } = await start(
    t,
    `import { httpServerHandler } from 'cloudflare:node';
     import { createServer } from 'node:http';
     export default httpServerHandler(createServer((request, response) => {
       // The end of the body is never asked for.
       if (request.url === '/early') return response.end('early');
       request.once('data', (chunk) => response.end(chunk));
     }));`,
  );
  const errors: unknown[] = [];
  const server = await serveHttp({
    fetch: (request) => worker.fetch(request),
    port: 0,
    onError: (error) => errors.push(error),
  });
  t.after(() => server.close({ graceMs: 0 }));
  const ask = async (path: string, body: string): Promise<string> =>
    await (await fetch(server.url + path, { method: 'POST', body })).text();
  equal(await ask('/', 'body'), 'body');
  equal(await ask('/early', 'x'.repeat(1024 * 1024)), 'early');
  equal(await ask('/', 'again'), 'again');
  deepEqual(errors, []);
});

test('httpServerHandler runs Express and Fastify as they are on npm', async (t) => {
  const express = await start(
    t,
    `import { httpServerHandler } from 'cloudflare:node';
     import express from 'express';
     const app = express();
     app.use(express.json());
     app.get('/users/:id', (request, response) => response.json({ id: request.params.id, query: request.query }));
     app.post('/users', (request, response) => response.status(201).send(request.body.name));
     app.listen(3000);
     export default httpServerHandler({ port: 3000 });`,
  );
  equal(await express.text('/users/5?a=1'), '{"id":"5","query":{"a":"1"}}');
  const posted = { method: 'POST', body: '{"name":"Ada"}', headers: { 'content-type': 'application/json' } };
  const created = await express.fetch('/users', posted);
  deepEqual([created.status, await created.text()], [201, 'Ada']);
  equal((await express.fetch('/absent')).status, 404);
  const fastify = await start(
    t,
    `import { httpServerHandler } from 'cloudflare:node';
     import Fastify from 'fastify';
     const app = Fastify({ pluginTimeout: 0 });
     app.get('/users/:id', async (request) => ({ id: request.params.id }));
     app.post('/users', async (request, reply) => reply.code(201).send(request.body.name));
     await app.ready();
     export default httpServerHandler(app.server);`,
  );
  equal(await fastify.text('/users/5'), '{"id":"5"}');
  const other = await fastify.fetch('/users', posted);
  deepEqual([other.status, await other.text()], [201, 'Ada']);
});
