/** The door as a client sees it, and its behaviour when the client disconnects. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { type ClientRequest, createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { PrivateListener } from '#listeners';
import { nextTurn } from '#work';
import { createRuntime, DurableObject, type OnProgress, type Runtime } from '#objects';
import { openAccess } from '../access.ts';
import { openLiveAccess } from '../operator-client.ts';
import { exportDatabase, importDatabase } from '../database.ts';
import { createDirectoryHandlers, type DirectoryParts } from '../directory/operate-directory.ts';
import { restoreObject } from '../history.ts';
import { clientsMax, protocolVersion } from '../limits.ts';
import { openDoor } from './open-door.ts';

class Store extends DurableObject {
  async put(value: number): Promise<void> {
    await this.ctx.storage.put('value', value);
  }
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-operator-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

async function openStore(directory: string): Promise<Runtime> {
  const runtime = await createRuntime({ directory, classes: { Store: { class: Store, storage: 'sql' } } });
  await runtime.namespace<Store>('Store').getByName('a').put(1);
  return runtime;
}

async function openStoreDoor(parts: DirectoryParts): Promise<PrivateListener> {
  const door = await openDoor({
    directory: parts.directory,
    handlers: createDirectoryHandlers(parts),
    onError: (error) => ok(false, String(error)),
    warn: (message) => ok(false, message),
  });
  return door!;
}

async function list(directory: string): Promise<unknown[]> {
  await using access = await openAccess({ directory, mode: 'look' });
  return (await Array.fromAsync(access.client.lines('GET', '/object_names'))).map(({ name }) => name);
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Like any HTTP client. */
async function ask(directory: string, route: string, body?: string): Promise<Answer> {
  const [method, path] = route.split(' ');
  const outgoing = request({ socketPath: join(directory, 'operator.sock'), method, path });
  outgoing.end(body);
  const [incoming] = await once(outgoing, 'response');
  return { status: incoming.statusCode, body: await text(incoming) };
}

/** Not `once`, which rejects when the connection is cut. */
function closeOf(outgoing: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  outgoing.once('close', resolve);
  return promise;
}

/** Creates a server with this answer, or none, under the name that clients look for. */
async function pretend(directory: string, result: object | undefined): Promise<Server> {
  const envelope = { result, success: true, errors: [], messages: [] };
  const server = createServer((_, outgoing) => outgoing.end(JSON.stringify(envelope)));
  server.listen(join(directory, 's'));
  await once(server, 'listening');
  renameSync(join(directory, 's'), join(directory, 'operator.sock'));
  if (result === undefined) server.close();
  return server;
}

test('openDoor answers what it does not serve with a coded error, and goes on', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  await using _door = await openStoreDoor({ directory, runtime });
  for (const [route, status, message, body] of [
    ['GET /nonsense', 404, /No route for that URI/],
    ['DELETE /object_names', 405, /Method not allowed/],
    ['GET /deployments', 404, /No route|has no deployments/],
    ['GET /objects/Store/%', 404, /No route for that URI/],
    ['GET /objects/Stoer/a', 500, /there is no class Stoer/],
    ['GET /objects/Store/b', 404, /Store has no object b/],
    ['GET /objects/Store/a/history?limit=5000', 400, /limit must be at most 1000/],
    ['POST /objects/Store/a/restore', 400, /is required/, '{}'],
    ['POST /objects/Store/a/query', 400, /invalid_json/, 'SELECT 1'],
    ['PUT /objects/Store/a/database', 400, /not a whole database/, 'none'],
    [`PUT /objects/Store/a/database?bytes=${2 ** 49}`, 507, /there is not enough room/],
  ] as const) {
    const answer = await ask(directory, route, body);
    deepEqual([route, answer.status], [route, status]);
    match(answer.body, message);
    equal(JSON.parse(answer.body).success, false);
  }
  // An archive starts before the request is complete. It ends with the reason, and without a list.
  const archive = await ask(directory, 'POST /backup', 'none');
  match(archive.body, /^backup\.failed\0[^]*a line is not JSON/);
  ok(!archive.body.includes('backup.jsonl'));
  deepEqual(await list(directory), ['a']);
});

test('openDoor answers plain requests with lines or the envelope, and names are percent-encoded', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  await runtime.namespace<Store>('Store').getByName('ä/?').put(2);
  await using _door = await openStoreDoor({ directory, runtime });
  const names = await ask(directory, 'GET /object_names?class=Store');
  deepEqual(
    names.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name)
      .sort(),
    ['a', 'ä/?'],
  );
  const { body } = await ask(directory, `GET /objects/Store/${encodeURIComponent('ä/?')}/values`);
  equal(JSON.parse(body).result[0].shown, '2');
});

test('openDoor takes a few clients at a time, and ends their work when it closes', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  const door = await openStoreDoor({ directory, runtime });
  const path = '/objects/Store/a/database';
  const waiting = Array.from({ length: clientsMax }, () => {
    const outgoing = request({ socketPath: join(directory, 'operator.sock'), method: 'PUT', path });
    outgoing.write('SQLite');
    return outgoing.on('error', () => {});
  });
  // While waiting, each has a file in the directory.
  while ((await ask(directory, 'GET /')).status !== 503) await nextTurn();
  const closed = waiting.map(closeOf);
  await door.close();
  await Promise.all(closed);
  equal(await openLiveAccess(directory), undefined);
});

test('openDoor ends a scrub when its client is gone, and does not wait for the rest of it', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  let told = 0;
  const scrub = runtime.scrub.bind(runtime);
  // Never finishes: only its client's disconnection can stop it.
  runtime.scrub = async function* endless(options) {
    const onProgress: OnProgress = (progress) => {
      told++;
      options?.onProgress?.(progress);
    };
    for (;;) yield* scrub({ onProgress });
  };
  const door = await openStoreDoor({ directory, runtime });
  const socketPath = join(directory, 'operator.sock');
  const outgoing = request({ socketPath, path: '/scrub', headers: { prefer: 'progress' } }).end();
  const [incoming] = await once(outgoing, 'response');
  incoming.on('error', () => {});
  await once(incoming, 'data');
  await door.close();
  const before = told;
  await nextTurn();
  equal(told, before);
});

test('openDoor says which objects were changed, also if the client has disconnected or nobody knows whether it was', async (t) => {
  const directory = temporary(t);
  await using runtime = await openStore(directory);
  const changed: string[] = [];
  const { promise: heard, resolve: hear } = Promise.withResolvers<void>();
  let clientGone: Promise<unknown> | undefined;
  await using _door = await openStoreDoor({
    directory,
    runtime,
    async onChanged(className, id) {
      changed.push(`${className} ${id.name}`);
      if (clientGone !== undefined) hear();
    },
  });
  const place = { class_name: 'Store', object: 'a' };
  const value = '/objects/{class_name}/{object}/value';
  const body = { key: 'value', value: '2', confirm: 'a' };
  const history = runtime.history(runtime.namespace('Store').idFromName('a'));
  const bookmark = await history.current();
  const file = join(directory, 'a.sqlite');
  {
    await using access = await openAccess({ directory, mode: 'change' });
    const { client } = access;
    await client.put(value, { ...place, body });
    await client.delete(value, { ...place, query: { key: 'value', confirm: 'a' } });
    await restoreObject(access, place, { at: { bookmark } });
    await exportDatabase(access, place, { file });
    await importDatabase(access, place, { file });
    equal(changed.length, 4);
    await rejects(restoreObject(access, place, { at: { bookmark: 'none' } }));
    equal(changed.length, 4);
    const operate = runtime.operate.bind(runtime);
    runtime.operate = async (...args) => {
      await operate(...args);
      throw Object.assign(new Error('Network connection lost.'), { retryable: true });
    };
    await rejects(client.put(value, { ...place, body }), /lost/);
    equal(changed.length, 5);
    runtime.operate = operate;
  }
  const socketPath = join(directory, 'operator.sock');
  const outgoing = request({ socketPath, method: 'PUT', path: '/objects/Store/a/value' });
  outgoing.on('error', () => {});
  const operate = runtime.operate.bind(runtime);
  runtime.operate = async (...args) => {
    clientGone = closeOf(outgoing);
    outgoing.destroy();
    await clientGone;
    return await operate(...args);
  };
  outgoing.end(JSON.stringify(body));
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
  for (const [result, message] of [
    [{ protocol: protocolVersion, holder: 'process 0' }, /does not have the directory open/],
    [{ protocol: protocolVersion + 1 }, /has another version/],
  ] as const) {
    const server = await pretend(directory, result);
    await rejects(list(directory), message);
    server.close();
  }
});
