import { deepEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { limitConnections } from './connection-budget.ts';

/** A listener that keeps two connections; clients with an `authorization` are known. */
async function listen(t: TestContext): Promise<{
  /** Opens a connection that the listener has accepted, and counts those that were closed. */
  readonly open: (name: string) => Promise<Socket>;
  readonly closed: string[];
  /** Responses to `/wait`, which are not ended. */
  readonly waiting: ServerResponse[];
}> {
  const closed: string[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url !== '/wait') return void outgoing.end('ok');
    waiting.push(outgoing);
    server.emit('waits');
  });
  limitConnections(server, {
    connectionsMax: 2,
    clients: 'api',
    isKnown: ({ headers }) => headers.authorization !== undefined,
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const open = async (name: string): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    t.after(() => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => closed.push(name));
    await Promise.all([accepted, once(socket, 'connect')]);
    return socket;
  };
  return { open, closed, waiting };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => void setImmediate(resolve));
}

async function ask(socket: Socket, head: string): Promise<void> {
  socket.write(`${head}\r\nhost: h\r\n\r\n`);
  await once(socket, 'data');
}

test('limitConnections closes the connection that has waited longest, and of strangers before that of a known client', async (t) => {
  const { open, closed } = await listen(t);
  const known = await open('known');
  await ask(known, 'GET / HTTP/1.1\r\nauthorization: a');
  const stranger = await open('stranger');
  await ask(stranger, 'GET / HTTP/1.1');
  await open('silent');
  await until(() => closed.includes('stranger'));
  const newest = await open('newest');
  await until(() => closed.includes('silent'));
  deepEqual(closed, ['stranger', 'silent']);
  await ask(known, 'GET / HTTP/1.1');
  await ask(newest, 'GET / HTTP/1.1');
});

test('limitConnections closes no connection that is worked on, but one whose client does not read or send', async (t) => {
  const { open, closed, waiting } = await listen(t);
  const working = await open('working');
  working.write('GET /wait HTTP/1.1\r\nhost: h\r\n\r\n');
  const sending = await open('sending');
  sending.write('POST /wait HTTP/1.1\r\nhost: h\r\ncontent-length: 9\r\n\r\nhalf');
  await until(() => waiting.length === 2);
  const reading = await open('reading');
  await until(() => closed.includes('sending'));
  reading.pause();
  reading.write('GET /wait HTTP/1.1\r\nhost: h\r\n\r\n');
  await until(() => waiting.length === 3);
  // More than the buffers of both sides.
  waiting[2]!.write(Buffer.alloc(64 * 1024 * 1024));
  const other = await open('other');
  other.write('GET /wait HTTP/1.1\r\nhost: h\r\n\r\n');
  await until(() => waiting.length === 4);
  reading.resume();
  await until(() => closed.includes('reading'));
  deepEqual(closed, ['sending', 'reading']);
  // Both have requests in progress: there is no room.
  await open('refused');
  await until(() => closed.includes('refused'));
  deepEqual(closed, ['sending', 'reading', 'refused']);
  waiting[0]!.end('done');
  await once(working, 'data');
});
