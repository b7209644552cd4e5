/** In a process of its own: what it limits is limited until the end of the process. */
import { equal, match, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
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
