import { deepEqual, equal } from 'node:assert/strict';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { once } from 'node:events';
import { test } from 'node:test';
import { emptyAcceptQueues } from './accept-queue.ts';

test('emptyAcceptQueues takes the connections that wait in the kernel, so that closing the listener resets none', async () => {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  // The kernel completes connections on loopback while `connect` runs; this process accepts none in between.
  const clients = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
  const failures: unknown[] = [];
  for (const client of clients) client.on('error', (error) => failures.push(error));
  await emptyAcceptQueues([server]);
  equal(accepted.length, clients.length);
  server.close();
  for (const socket of accepted) socket.end('answer');
  const answers = await Promise.all(clients.map(async (client) => Buffer.concat(await client.toArray())));
  deepEqual(new Set(answers.map(String)), new Set(['answer']));
  deepEqual(failures, []);
  equal(server.listenerCount('connection'), 1);
});
