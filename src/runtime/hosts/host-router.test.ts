import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listen } from './host.ts';
import { HostRouter, socketPath } from './host-router.ts';

test('HostRouter says so when it ends a connection because of what was sent', async (t) => {
  const sockets = mkdtempSync(join(tmpdir(), 'gatehouse-router-'));
  t.after(() => rmSync(sockets, { recursive: true }));
  const told = Promise.withResolvers<string>();
  using router = new HostRouter({
    sockets,
    hosts: 1,
    classes: [],
    log: (message, error) => told.resolve(`${message}: ${(error as Error).message}`),
  });
  const server = await listen(router, socketPath(sockets, 0));
  t.after(() => server.close());
  const socket = connect(socketPath(sockets, 0));
  t.after(() => socket.destroy());
  await once(socket, 'data');
  socket.write(Buffer.of(2, 0, 0, 0, 99, 0));
  equal(
    await told.promise,
    'ended the connection with another process of this runtime, because what it sent could not be understood: a frame of the unknown type 99 arrived',
  );
});
