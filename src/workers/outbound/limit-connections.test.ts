/** In a process of its own: what it limits is limited until the end of the process. */
import { equal, match, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, get, type RequestOptions } from 'node:http';
import { get as getSecurely } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { connect as connectAsWorker } from '../modules/cloudflare-sockets.ts';
import { WebSocket } from '#sockets';
import { limitConnections } from './limit-connections.ts';

async function serve(t: TestContext): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const to = new URL(incoming.url!, 'http://a').searchParams.get('to');
    if (to === null) outgoing.end('reached');
    else outgoing.writeHead(302, { location: to }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** The code of its error, or 'reached'. */
function findOutcome(client: NodeJS.EventEmitter): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  client.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  for (const event of ['connect', 'response']) client.on(event, () => resolve('reached'));
  return promise;
}

async function findCause(url: string): Promise<string> {
  try {
    await fetch(url);
    return 'reached';
  } catch (error) {
    return String(((error as Error).cause as Error).message);
  }
}

test('limitConnections refuses private addresses to fetch, sockets, connect and modules of Node', async (t) => {
  const port = await serve(t);
  limitConnections({});
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', 'a.localhost']) {
    match(
      await findCause(`http://${host}:${port}/`),
      /is a private address, and allow_private_origins/,
      host,
    );
  }
  match(await findCause('http://169.254.169.254/latest'), /metadata service/);
  const opened = connectAsWorker(`127.0.0.1:${port}`).opened;
  await rejects(opened, /proxy request failed, cannot connect to the specified address/);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
  const [closed] = await once(socket as unknown as EventTarget, 'close');
  equal(closed.code, 1006);
  for (const open of [
    () => connect(port, '127.0.0.1'),
    () => connect({ port, host: 'localhost' }),
    () => connectTls({ port, host: '127.0.0.1' }),
  ]) {
    const [error] = await once(open(), 'error');
    equal(error.code, 'CONNECTION_FORBIDDEN');
  }
});

test('limitConnections refuses private addresses to node:http and node:https, however they are given', async (t) => {
  const port = await serve(t);
  limitConnections({});
  const hex = `0x${port.toString(16)}`;
  const opens: (() => NodeJS.EventEmitter)[] = [
    () => get(`http://127.0.0.1:${port}/`),
    () => get(new URL(`http://localhost:${port}/`), { agent: false }),
    () => get({ host: '127.1', port, agent: new Agent({ keepAlive: true }) }),
    () => get({ host: '0x7f000001', port, lookup: findLoopback }),
    () => get({ host: 'example.com', port, lookup: findLoopback }),
    () => get({ host: '::1%lo', port }),
    () => getSecurely(`https://[::ffff:127.0.0.1]:${port}/`),
    ...[null, undefined, ''].map((path) => () => connect({ port, host: '127.0.0.1', path } as never)),
    ...[null, undefined, ''].map((host) => () => connect({ port, host } as never)),
    () => connect(hex as never, '127.0.0.1'),
    () => connect(` ${port}` as never),
  ];
  for (const open of opens) {
    equal(await findOutcome(open()), 'CONNECTION_FORBIDDEN', String(open));
  }
});

test('limitConnections checks what it connects to, also where options change as they are read', async (t) => {
  const port = await serve(t);
  limitConnections({ allowPrivate: true, forbidden: [{ address: '127.0.0.1', port }] });
  for (let allowedReads = 0; allowedReads < 6; allowedReads++) {
    let reads = 0;
    const options = {
      host: '127.0.0.1',
      get port() {
        return reads++ < allowedReads ? 1 : port;
      },
    };
    match(await findOutcome(connect(options)), /^(CONNECTION_FORBIDDEN|ECONNREFUSED)$/);
  }
});

test('limitConnections uses the lookup of the caller, and checks what it finds', async (t) => {
  const port = await serve(t);
  limitConnections({ allowPrivate: true });
  const [response] = await once(get({ host: 'some.invalid', port, lookup: findLoopback }), 'response');
  equal(response.statusCode, 200);
  response.resume();
});

const findLoopback: NonNullable<RequestOptions['lookup']> = (_host, options, found) =>
  options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4);

test('limitConnections checks each redirect, and lets sockets of the file system through', async (t) => {
  const [port, own] = await Promise.all([serve(t), serve(t)]);
  limitConnections({ allowPrivate: true, forbidden: [{ address: '127.0.0.1', port: own }] });
  equal(await findCause(`http://127.0.0.1:${port}/`), 'reached');
  equal(await findCause(`http://localhost:${port}/`), 'reached');
  match(
    await findCause(`http://127.0.0.1:${port}/?to=http://127.0.0.1:${own}/`),
    /is a listener of this program/,
  );
  match(await findCause(`http://127.0.0.1:${port}/?to=http://169.254.169.254/`), /metadata service/);
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-limits-'));
  t.after(() => rmSync(directory, { recursive: true }));
  limitConnections({});
  const server = createTcpServer((peer) => peer.end('reached'));
  server.listen(join(directory, 's'));
  await once(server, 'listening');
  t.after(() => server.close());
  const [bytes] = await once(connect(join(directory, 's')), 'data');
  equal(String(bytes), 'reached');
});
