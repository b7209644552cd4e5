import { deepEqual, equal, match } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import express from 'express';
import fastify from 'fastify';
import { createFirewall, fastifyHook, nodeMiddleware } from '#edge';
import type { SecurityEvent } from '#events';
import { findPuzzle, solvePuzzle } from '../../src/traffic/edge/challenge/testing.ts';
import { digestOf } from './apps.ts';

const evilBodies = { expression: 'http.request.body.raw contains "evil"', action: 'block' } as const;

async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<AsyncDisposable & { readonly port: number; readonly server: Server }> {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    server,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Ways in which applications read bodies. */
const readers: Readonly<Record<string, (request: IncomingMessage) => Promise<Buffer>>> = {
  async iterates(request) {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    return Buffer.concat(pieces);
  },
  async listens(request) {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    await once(request, 'end');
    return Buffer.concat(pieces);
  },
  async pipes(request) {
    const pieces: Buffer[] = [];
    const to = request.pipe(new PassThrough());
    to.on('data', (piece: Buffer) => pieces.push(piece));
    await once(to, 'end');
    return Buffer.concat(pieces);
  },
  async waits(request) {
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    return readers['listens']!(request);
  },
};

const limit = 128 * 1024;

test('nodeMiddleware leaves bodies of every size and framing to every way of reading', async () => {
  const judge = nodeMiddleware(createFirewall({ rules: [evilBodies] }));
  const again = nodeMiddleware(createFirewall({ rules: [evilBodies] }));
  await using app = await serve((request, response) => {
    // Twice, as where two parts of an application each have one.
    judge(request, response, () => {
      again(request, response, () => {
        readers[request.url!.slice(1)]!(request).then(
          (bytes) => response.end(digestOf(bytes)),
          () => response.destroy(),
        );
      });
    });
  });
  for (const size of [0, 1, 1_000, 65_536, limit - 1, limit, limit + 1, 500_000]) {
    const bytes = randomBytes(size);
    for (const path of Object.keys(readers)) {
      for (const isChunked of [false, true]) {
        const answer = await send(app.port, `/${path}`, bytes, isChunked);
        equal(answer, digestOf(bytes), `${path} ${size} ${isChunked}`);
      }
    }
  }
});

async function send(port: number, path: string, bytes: Buffer, isChunked: boolean): Promise<string> {
  const headers = isChunked ? {} : { 'content-length': bytes.length };
  const request = httpRequest({ port, path, method: 'POST', headers });
  const third = Math.ceil(bytes.length / 3);
  for (let start = 0; start < bytes.length; start += third)
    request.write(bytes.subarray(start, start + third));
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return (await readers['listens']!(response)).toString();
}

test('nodeMiddleware keeps the connection in step after a body that was not read to its end', async () => {
  const judge = nodeMiddleware(createFirewall({ rules: [evilBodies], overInspectionLimit: 'block' }));
  await using app = await serve((request, response) => judge(request, response, () => response.end('next')));
  const socket = connect(app.port, '127.0.0.1');
  const body = Buffer.alloc(2 * 1024 * 1024, 'x');
  socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  let text = '';
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()));
  await once(socket, 'end');
  deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 403', 'HTTP/1.1 200']);
  match(text, /next$/);
});

test('nodeMiddleware serves HTTP/2', async () => {
  const judge = nodeMiddleware(
    createFirewall({
      rules: [
        evilBodies,
        {
          expression: 'http.request.version eq "HTTP/2" and http.host eq "blocked.example"',
          action: 'block',
        },
      ],
    }),
  );
  const server = createHttp2Server((request, response) => {
    judge(request, response, () => {
      request.pipe(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const ask = async (body: string | undefined, authority = 'fine.example'): Promise<string> => {
    const method = body === undefined ? 'GET' : 'POST';
    const stream = client.request({ ':method': method, ':path': '/', ':authority': authority });
    let status = 0;
    let text = '';
    stream.on('response', (headers) => (status = headers[':status']!));
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()));
    stream.end(body);
    await once(stream, 'close');
    return status === 200 ? text : String(status);
  };
  equal(await ask('fine'), 'fine');
  equal(await ask(''), '');
  equal(await ask('x'.repeat(200_000)), 'x'.repeat(200_000));
  equal(await ask('evil'), '403');
  equal(await ask(undefined), '');
  equal(await ask(undefined, 'blocked.example'), '403');
  client.close();
  server.close();
  await once(server, 'close');
});

test('nodeMiddleware judges the whole path where a router is mounted', async () => {
  const app = express();
  const rule = { expression: 'http.request.uri.path eq "/api/secret"', action: 'block' } as const;
  app.use('/api', nodeMiddleware(createFirewall({ rules: [rule] })));
  app.get('/{*path}', (_, response) => void response.send('hello'));
  await using served = await serve(app);
  equal((await fetch(`http://127.0.0.1:${served.port}/api/secret`)).status, 403);
  equal((await fetch(`http://127.0.0.1:${served.port}/api/public`)).status, 200);
});

test('nodeMiddleware lets nothing pass that it cannot judge', async () => {
  const errors: unknown[] = [];
  const firewall = createFirewall({ rules: [evilBodies], onError: (error) => errors.push(error) });
  const app = express();
  let reached = 0;
  app.use(express.json(), nodeMiddleware(firewall));
  app.post('/{*path}', (_, response) => {
    reached++;
    response.send('hello');
  });
  await using served = await serve(app);
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${served.port}/`, { method: 'POST', body: '{}', headers });
  equal(answer.status, 500);
  equal(reached, 0);
  match(String(errors), /run the firewall first/);
});

test('nodeMiddleware reports a client that left before its answer', async () => {
  const told: SecurityEvent[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const firewall = createFirewall({
    rules: [{ expression: 'true', action: 'log' }],
    onEvent: (event) => {
      told.push(event);
      resolve();
    },
  });
  const judge = nodeMiddleware(firewall);
  const socketGone = Promise.withResolvers<void>();
  await using app = await serve((request, response) => judge(request, response, () => socketGone.resolve()));
  const socket = connect(app.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await socketGone.promise;
  socket.destroy();
  await promise;
  equal(told[0]?.edgeResponseStatus, 499);
});

test('nodeMiddleware marks the clearance as secure where a trusted proxy ended TLS', async () => {
  const rule = { expression: 'true', action: 'js_challenge' } as const;
  const judge = nodeMiddleware(createFirewall({ rules: [rule], trustedProxies: ['127.0.0.1'] }));
  await using app = await serve((request, response) => judge(request, response, () => response.end()));
  const url = `http://127.0.0.1:${app.port}/`;
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.7' };
  const puzzle = findPuzzle(await (await fetch(url, { headers })).text());
  const body = new URLSearchParams({ puzzle, solution: solvePuzzle(puzzle) });
  const answer = await fetch(`${url}cdn-cgi/gatehouse/challenge`, { method: 'POST', body, headers });
  match(answer.headers.get('set-cookie')!, /; Secure$/);
});

test('fastifyHook judges injected requests too', async () => {
  const app = fastify();
  app.addHook('onRequest', fastifyHook(createFirewall({ rules: [evilBodies] })));
  app.post('/', (request) => request.body);
  const inject = async (name: string): Promise<string> => {
    const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload: { name } });
    return `${statusCode} ${statusCode === 200 ? body : ''}`;
  };
  equal(await inject('fine'), '200 {"name":"fine"}');
  equal(await inject('evil'), '403 ');
  await app.close();
});
