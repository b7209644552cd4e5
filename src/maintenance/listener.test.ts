import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serialize } from 'node:v8';
import { nextTurn } from '#base';
import { createRuntime, DurableObject, type OnProgress } from '#objects';
import { openAccess, openLiveAccess } from './access.ts';
import { Channel } from './channel.ts';
import { exportDatabase, importDatabase } from './database.ts';
import { clientsMax, protocolVersion } from './limits.ts';
import { MaintenanceListener } from './listener.ts';

class Store extends DurableObject {
  async put(value: number): Promise<void> {
    await this.ctx.storage.put('value', value);
  }
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-maintenance-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

async function openStore(directory: string) {
  const runtime = await createRuntime({ directory, classes: { Store: { class: Store, storage: 'sql' } } });
  await runtime.namespace<Store>('Store').getByName('a').put(1);
  return runtime;
}

async function list(directory: string): Promise<unknown[]> {
  await using access = await openAccess({ directory, mode: 'look' });
  return (await Array.fromAsync(access.rows({ do: 'list' }))).map(({ name }) => name);
}

/** Leaves a socket that answers in this way, or none, under the name that clients look for. */
async function pretend(directory: string, hello: object | undefined): Promise<Server> {
  const server = createServer((socket) => void new Channel(socket).send(hello!));
  server.listen(join(directory, 's'));
  await once(server, 'listening');
  renameSync(join(directory, 's'), join(directory, 'maintenance.sock'));
  if (hello === undefined) server.close();
  return server;
}

test('MaintenanceListener answers what is not a request with an error, and goes on', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  const told: string[] = [];
  await using _listener = await MaintenanceListener.start({
    directory,
    runtime,
    log: (message) => void told.push(message),
  });
  const ask = async (request: object): Promise<unknown> => {
    const socket = connect(join(directory, 'maintenance.sock'));
    using channel = new Channel(socket);
    await channel.receive();
    await channel.send(request);
    const frame = await channel.receive();
    return (frame as { message: { error?: { message: string } } }).message.error?.message;
  };
  const place = { className: 'Store', object: 'a' };
  match(String(await ask({ do: 'nonsense' })), /do must be one of the requests/);
  match(String(await ask([])), /do must be one of the requests/);
  match(String(await ask({ do: 'history', ...place, limit: -1 })), /limit must be a whole number/);
  match(String(await ask({ do: 'restore', ...place })), /at must be a bookmark or a time/);
  match(String(await ask({ do: 'export', className: 'Store' })), /object must be a text/);
  match(
    String(await ask({ do: 'export', className: 'S'.repeat(5_000), object: 'a' })),
    /className must be a text/,
  );
  match(
    String(await ask({ do: 'import', ...place, bytes: 2 ** 50, walBytes: 0 })),
    /there is not enough room/,
  );
  const noise = connect(join(directory, 'maintenance.sock'));
  noise.write(Buffer.alloc(64, 0xff));
  noise.resume();
  await once(noise, 'close');
  deepEqual(told, ['a maintenance request failed']);
  deepEqual(await list(directory), ['a']);
});

test('MaintenanceListener takes a few clients at a time, and ends their work when it closes', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  const listener = await MaintenanceListener.start({ directory, runtime, log: () => ok(false) });
  const waiting = Array.from({ length: clientsMax }, () =>
    connect(join(directory, 'maintenance.sock')).resume(),
  );
  await Promise.all(waiting.map((socket) => once(socket, 'data')));
  await rejects(list(directory), /takes no more clients/);
  const closed = waiting.map((socket) => once(socket, 'close'));
  await listener!.close();
  await Promise.all(closed);
  equal(await openLiveAccess({ directory }), undefined);
});

test('MaintenanceListener ends a scrub when its client is gone, and does not wait for the rest of it', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  let told = 0;
  const scrub = runtime.scrub.bind(runtime);
  // Never done: only its client's end can end it.
  runtime.scrub = async function* endless(options) {
    const onProgress: OnProgress = (progress) => {
      told++;
      options?.onProgress?.(progress);
    };
    for (;;) yield* scrub({ onProgress });
  };
  const listener = await MaintenanceListener.start({ directory, runtime, log: () => ok(false) });
  const socket = connect(join(directory, 'maintenance.sock'));
  const channel = new Channel(socket);
  await channel.receive();
  await channel.send({ do: 'scrub' });
  await channel.receive();
  await listener!.close();
  const before = told;
  await nextTurn();
  equal(told, before);
});

test('MaintenanceListener says which objects were changed, also if the client is gone or nobody knows whether it was', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  const changed: string[] = [];
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  let clientGone: Promise<unknown> | undefined;
  await using _listener = await MaintenanceListener.start({
    directory,
    runtime,
    async onChanged(className, id) {
      changed.push(`${className} ${id.name}`);
      if (clientGone !== undefined) hear();
    },
    log: () => {},
  });
  const place = { className: 'Store', object: 'a' };
  const history = runtime.history(runtime.namespace('Store').idFromName('a'));
  const bookmark = await history.current();
  const value = serialize(2).toString('base64');
  const file = join(directory, 'a.sqlite');
  {
    await using access = await openAccess({ directory, mode: 'change' });
    await Array.fromAsync(access.rows({ do: 'put', ...place, key: 'value', value }));
    await Array.fromAsync(access.rows({ do: 'delete', ...place, key: 'value' }));
    await Array.fromAsync(access.rows({ do: 'restore', ...place, at: { bookmark } }));
    await exportDatabase(access, place, { file });
    await importDatabase(access, place, { file });
    equal(changed.length, 4);
    await rejects(Array.fromAsync(access.rows({ do: 'restore', ...place, at: { bookmark: 'none' } })));
    equal(changed.length, 4);
    const operate = runtime.operate.bind(runtime);
    runtime.operate = async (...args) => {
      await operate(...args);
      throw Object.assign(new Error('Network connection lost.'), { retryable: true });
    };
    await rejects(Array.fromAsync(access.rows({ do: 'put', ...place, key: 'value', value })), /lost/);
    equal(changed.length, 5);
    runtime.operate = operate;
  }
  const socket = connect(join(directory, 'maintenance.sock'));
  const channel = new Channel(socket);
  await channel.receive();
  const operate = runtime.operate.bind(runtime);
  runtime.operate = async (...args) => {
    clientGone = once(socket, 'close');
    socket.destroy();
    await clientGone;
    return await operate(...args);
  };
  await channel.send({ do: 'put', ...place, key: 'value', value });
  await heard;
  deepEqual(
    changed,
    Array.from({ length: 6 }, () => 'Store a'),
  );
});

test('openAccess opens the directory itself when a process that was killed has left its socket', async (t) => {
  const directory = temporary(t);
  await (await openStore(directory)).close();
  await pretend(directory, undefined);
  deepEqual(await list(directory), ['a']);
});

test('openAccess refuses whoever listens without having the directory open, or speaks another version', async (t) => {
  const directory = temporary(t);
  await (await openStore(directory)).close();
  for (const [hello, message] of [
    [{ gatehouse: protocolVersion, holder: 'process 0' }, /does not have the directory open/],
    [{ gatehouse: protocolVersion + 1 }, /is of another version/],
  ] as const) {
    const server = await pretend(directory, hello);
    await rejects(list(directory), message);
    server.close();
  }
});
