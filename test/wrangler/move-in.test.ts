/**
 * `gatehouse stores move-in`: moves the stored data of a `gatehouse run` Worker to the account, whenever it is killed.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lchownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killWith } from '../../src/program/cli/watched/testing.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';
import { UploadSite } from './upload-site.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

const code = `import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  add() { return this.ctx.storage.kv.put('count', (this.ctx.storage.kv.get('count') ?? 0) + 1), this.ctx.storage.kv.get('count'); }
}
export class Note extends DurableObject {
  async keep() { await this.ctx.storage.put({ a: 'one', b: new Map([[1, 2]]) }); await this.ctx.storage.setAlarm(4102444800000); }
  async told() { return [...(await this.ctx.storage.list()).keys(), await this.ctx.storage.getAlarm(), this.ctx.id.name]; }
  alarm() {}
}
export default {
  async fetch(request, env) {
    if (new URL(request.url).pathname === '/fill') {
      await env.NOTES.put('plain', 'as it is', { metadata: { by: 'me' }, expirationTtl: 86400 });
      await env.NOTES.put('soon/gone', 'x', { expirationTtl: 61 });
      await env.NOTES.put('bytes', new Uint8Array([0, 255, 128]));
      await env.NOTES.put('long', new Uint8Array(9 * 1024 * 1024).fill(7), { metadata: [1] });
      await env.DB.exec("CREATE TABLE people (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, photo BLOB)");
      await env.DB.prepare('INSERT INTO people VALUES (7, ?, ?)').bind("O'Hara; née\\0x", new Uint8Array([1, 0, 2])).run();
      await env.DB.exec("INSERT INTO people (id) VALUES (40); DELETE FROM people WHERE id = 40");
      await env.DB.exec("CREATE INDEX names ON people (name)");
      await env.FILES.put('dir/a b.txt', 'contents', {
        httpMetadata: { contentType: 'text/plain', cacheControl: 'no-store', cacheExpiry: new Date(86400000) },
        customMetadata: { Owner: 'Zoë' },
      });
      await env.FILES.put('empty', '');
      await env.JOBS.send({ a: 1 });
      await env.JOBS.send({ old: [null] }, { contentType: 'v8' });
      await env.JOBS.send(new Map([['only', 'v8']]), { contentType: 'v8' });
      await env.JOBS.send(new Uint8Array([0, 255]), { contentType: 'bytes', delaySeconds: 1 });
      for (const name of ['one', 'two', 'one']) await env.COUNTERS.getByName(name).add();
      await env.COUNTERS.get(env.COUNTERS.newUniqueId()).add();
      await env.NOTES_KEPT.getByName('n').keep();
    }
    if (new URL(request.url).pathname === '/objects') {
      const counted = await env.COUNTERS.getByName(new URL(request.url).searchParams.get('name')).add();
      return Response.json([counted, ...(await env.NOTES_KEPT.getByName('n').told())]);
    }
    const keys = (await env.NOTES.list()).keys.filter(({ name }) => name !== 'soon/gone');
    const { n } = await env.DB.prepare('SELECT count(*) AS n FROM people').first();
    const answer = { keys, n, file: await (await env.FILES.get('dir/a b.txt')).text() };
    if (new URL(request.url).pathname === '/odd') await env.DB.exec('CREATE VIRTUAL TABLE words USING fts5(word)');
    return Response.json(answer);
  },
};`;

/** Runs the Worker on `data` of a folder, sends it requests, and stops it. */
async function runWorker(
  t: TestContext,
  { directory, path, meanwhile }: { directory: string; path: string; meanwhile?: () => Promise<void> },
): Promise<{ readonly keys: unknown }> {
  const { server, ready } = await Gatehouse.start(t, {
    command: 'run',
    directory,
    args: ['project', '--object-hosts', '2'],
  });
  try {
    const answer = await fetch(`${(ready as unknown as { readonly url: string }).url}${path}`);
    equal(answer.status, 200);
    await meanwhile?.();
    return (await answer.json()) as { readonly keys: unknown };
  } finally {
    await server.end('SIGTERM');
  }
}

function writeProject(folder: string): void {
  mkdirSync(join(folder, 'project'));
  const config = {
    ...{ name: 'shop', main: 'index.js', compatibility_date: '2026-08-01' },
    kv_namespaces: [{ binding: 'NOTES', id: 'notes-of-then' }],
    d1_databases: [{ binding: 'DB', database_name: 'shop', database_id: 'some-database' }],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'shop-files' }],
    // No consumer takes its messages.
    queues: { producers: [{ binding: 'JOBS', queue: 'jobs' }] },
    durable_objects: {
      bindings: [
        { name: 'COUNTERS', class_name: 'Counter' },
        { name: 'NOTES_KEPT', class_name: 'Note' },
      ],
    },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'], new_classes: ['Note'] }],
  };
  writeFileSync(join(folder, 'project', 'wrangler.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'project', 'index.js'), code);
}

interface Outcome {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

class MoveIn {
  readonly #child: ChildProcess;

  constructor(t: TestContext, cwd: string, args: readonly string[], token: string, room = 'stores') {
    const { PATH = '', NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
    this.#child = spawn(process.execPath, [main, room, 'move-in', ...args], {
      cwd,
      env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, CLOUDFLARE_API_TOKEN: token },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killWith(t, this.#child);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async end(): Promise<Outcome> {
    const closed = once(this.#child, 'close');
    const [stdout, stderr] = await Promise.all([buffer(this.#child.stdout!), buffer(this.#child.stderr!)]);
    const [status] = (await closed) as [number | null];
    return { code: status, stdout: String(stdout), stderr: String(stderr) };
  }
}

/**
 * A proxy in front of the API: `onWritten` is called when the server has done a request, before its sender gets the
 * response.
 */
async function startProxy(
  t: TestContext,
  api: string,
  onWritten: (route: string, body: Buffer) => boolean,
): Promise<string> {
  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const { method = 'GET', url = '/', headers } = incoming;
    const outgoing = request(new URL(url, api), { method, headers, agent: false });
    outgoing.end(body);
    const [answered] = (await once(outgoing, 'response')) as [IncomingMessage];
    const content = await buffer(answered);
    if (onWritten(`${method} ${url}`, body)) return void response.destroy();
    response.writeHead(answered.statusCode!, answered.headers).end(content);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(api).pathname}`;
}

/** Whether a request has changed the account's data: an SQL file does when it is ingested. */
function isChange(route: string, body: Buffer): boolean {
  if (route.startsWith('GET ') || route.includes('/d1-transfers/') || route.endsWith('/export')) return false;
  return !route.endsWith('/import') || String(body).includes('"ingest"');
}

async function read(site: UploadSite, path: string): Promise<{ bytes: Buffer; headers: Headers }> {
  const answer = await fetch(`${site.ready.api}/accounts/${site.ready.account_id}${path}`, {
    headers: { authorization: `Bearer ${site.ready.token}` },
  });
  equal(answer.status, 200, path);
  return { bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
}

/** Into a Worker that has renamed a class, and has its own object. */
async function moveObjectsIn(t: TestContext, folder: string, site: UploadSite): Promise<void> {
  const run = (args: readonly string[]): Promise<Outcome> =>
    new MoveIn(t, folder, [...args, '--data', join(site.directory, 'data')], '', 'objects').end();
  const early = await run(['data', 'moved']);
  equal(early.code, 1);
  match(early.stderr, /no Worker moved is deployed here: deploy it first/);
  const bind = (name: string, class_name: string): object => ({
    ...{ type: 'durable_object_namespace', name, class_name },
  });
  const deploy = async (steps: readonly object[], classes = code): Promise<void> => {
    const migrations = {
      ...(steps.length === 1 ? { old_tag: 'v1' } : {}),
      new_tag: `v${3 - steps.length}`,
      steps,
    };
    const bindings = [bind('COUNTERS', 'Tally'), bind('NOTES_KEPT', steps.length === 1 ? 'Note' : 'Unlike')];
    const answer = await site.deploy('moved', { code: classes, metadata: { migrations, bindings } });
    ok(answer.success, JSON.stringify(answer));
  };
  const renamed = code.replace('class Counter', 'class Tally');
  await deploy(
    [{ new_sqlite_classes: ['Counter', 'Unlike'] }, { renamed_classes: [{ from: 'Counter', to: 'Tally' }] }],
    renamed.replace('class Note', 'class Unlike'),
  );
  equal(JSON.parse(await site.read('moved', '/objects?name=two'))[0], 1);
  const partly = await run(['data', 'moved', '--json']);
  equal(partly.code, 3, partly.stderr);
  deepEqual(JSON.parse(partly.stdout), { class: 'Counter', to: 'Tally', taken: 2, present: 1 });
  match(partly.stderr, /not copied: Note: moved has no class Note: deploy it with one first/);
  equal(JSON.parse(await site.read('moved', '/objects?name=one'))[0], 3, 'it goes on from what it had');
  equal(JSON.parse(await site.read('moved', '/objects?name=two'))[0], 2, 'what the Worker has stays');

  await deploy([{ new_classes: ['Note'] }], `${renamed} export class Unlike extends DurableObject {}`);
  const whole = await run(['data', 'moved']);
  equal(whole.code, 0, whole.stderr);
  equal(whole.stdout, 'Counter  Tally  0  3\nNote  Note  1  0\n');
  deepEqual(JSON.parse(await site.read('moved', '/objects?name=one')), [4, 'a', 'b', 4102444800000, 'n']);
  match((await run(['project', 'moved'])).stderr, /there are no objects and no stores in .*project/);

  // Files that root creates among the files of another user belong to that user.
  if (process.geteuid?.() !== 0) return;
  const data = join(folder, 'data');
  const listFiles = (): string[] => [
    data,
    ...readdirSync(data, { recursive: true }).map((each) => join(data, String(each))),
  ];
  const giveAll = (uid: number): void => listFiles().forEach((path) => lchownSync(path, uid, uid));
  const listOther = (): string[] => listFiles().filter((path) => lstatSync(path).uid !== 65_534);
  giveAll(65_534);
  equal((await run(['data', 'moved'])).code, 0);
  deepEqual(listOther(), []);
  const { api, token } = site.ready;
  await new MoveIn(t, folder, ['data', '--api', api], token!).end();
  deepEqual(listOther(), []);
  giveAll(0);
}

test('the stores of a Worker that was run by itself move into the account, killed after every write and repeated', async (t) => {
  const folder = temporary(t);
  writeProject(folder);
  const site = await UploadSite.start(t);
  const filled = await runWorker(t, {
    directory: folder,
    path: '/fill',
    async meanwhile() {
      const early = await new MoveIn(t, folder, ['data', '--api', site.ready.api], site.ready.token!).end();
      equal(early.code, 1);
      match(
        early.stderr,
        /data is in use, .*: stop the Worker first \(.*another runtime owns it: process \d+/,
      );
    },
  });
  let running: MoveIn | undefined;
  let killing = true;
  const changes: string[] = [];
  const proxy = await startProxy(t, site.ready.api, (route, body) => {
    if (!isChange(route, body)) return false;
    const change = route.replace(/^(\S+) .*\/accounts\/[^/]*/, '$1 ');
    // Messages are sent each time, and the account recognises duplicates.
    const isKilled = killing && !changes.includes(change);
    changes.push(change);
    if (isKilled) running!.kill();
    return isKilled;
  });
  const args = ['data', '--api', proxy, '--json'];
  const run = (): Promise<Outcome> => {
    running = new MoveIn(t, folder, args, site.ready.token!);
    return running.end();
  };

  const bad = await new MoveIn(t, folder, [...args, '--as', 'NONE=x'], site.ready.token!).end();
  equal(bad.code, 2);
  match(bad.stderr, /--as names NONE, which is not a store of the directory: it has notes-of-then, NOTES, /);
  const none = await new MoveIn(t, folder, ['project', '--api', proxy], site.ready.token!).end();
  match(none.stderr, /there are no objects and no stores in .*project/);

  // Each run does one thing more than the one before, and is killed before it knows.
  let outcome = await run();
  for (let runs = 1; outcome.code === null; runs++) {
    ok(runs < 20, changes.join('\n'));
    outcome = await run();
  }
  equal(outcome.code, 0, outcome.stderr);
  // Namespace, two requests of values, database, SQL, bucket, two objects, queue, messages: each once.
  equal(changes.length, 11, changes.join('\n'));
  match(changes.pop()!, /\/messages\/take-over$/);
  equal(new Set(changes).size, 10, changes.join('\n'));
  match(
    outcome.stderr,
    /queues jobs: left in .*data: messages of the content type v8 .* express: [0-9a-f]{32};/,
  );
  match(outcome.stderr, /objects stay in .*data: Counter \(3\), Note \(1\)\. .* gatehouse objects move-in/);

  killing = false;
  const again = await run();
  equal(changes.length, 11);
  match(changes.at(-1)!, /take-over$/, 'nothing else is sent again');
  const rows = again.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const facts = rows.map(({ kind, binding, name, taken, present }) => [kind, binding, name, taken, present]);
  deepEqual(facts, [
    ['kv_namespaces', 'NOTES', 'shop-notes', 0, 3],
    ['d1_databases', 'DB', 'shop-db', 0, 1],
    ['r2_buckets', 'FILES', 'shop-files', 0, 2],
    ['queues', 'JOBS', 'jobs', 0, 3],
  ]);
  // On a slow machine, it has expired by now.
  if (rows[0].left !== undefined) match(rows[0].left, /^1 values that expire within 90 s$/);

  const kv = `/storage/kv/namespaces/${rows[0].id}`;
  const { result: keys } = await site.call(`GET A${kv}/keys`);
  deepEqual(filled.keys, keys);
  deepEqual(
    keys.map(({ name, metadata }: { name: string; metadata?: unknown }) => [name, metadata]),
    [
      ['bytes', undefined],
      ['long', [1]],
      ['plain', { by: 'me' }],
    ],
  );
  equal(typeof keys[2].expiration, 'number');
  deepEqual([...(await read(site, `${kv}/values/bytes`)).bytes], [0, 255, 128]);
  ok((await read(site, `${kv}/values/long`)).bytes.equals(Buffer.alloc(9 * 1024 * 1024, 7)));
  const query = { sql: 'SELECT id, name, hex(photo) AS photo FROM people INDEXED BY names WHERE name > 0' };
  const { result: people } = await site.call(`POST A/d1/database/${rows[1].id}/query`, query);
  deepEqual(people[0].results, [{ id: 7, name: "O'Hara; née\0x", photo: '010002' }]);
  const insert = { sql: "INSERT INTO people (name) VALUES ('next') RETURNING id" };
  const { result: next } = await site.call(`POST A/d1/database/${rows[1].id}/query`, insert);
  deepEqual(next[0].results, [{ id: 41 }], 'no number is given out again');
  const file = await read(site, '/r2/buckets/shop-files/objects/dir%2Fa%20b.txt');
  equal(String(file.bytes), 'contents');
  equal(file.headers.get('cache-control'), 'no-store');
  deepEqual(JSON.parse(String(Buffer.from(file.headers.get('x-object-metadata')!, 'base64url'))), {
    http: { contentType: 'text/plain', cacheControl: 'no-store', cacheExpiry: '1970-01-02T00:00:00.000Z' },
    custom: { Owner: 'Zoë' },
    storageClass: 'Standard',
  });

  const wrong = { custom: { a: 1 } };
  for (const metadata of ['{', Buffer.from(JSON.stringify(wrong)).toString('base64url')]) {
    const refused = await fetch(
      `${site.ready.api}/accounts/${site.ready.account_id}/r2/buckets/shop-files/objects/x`,
      {
        method: 'PUT',
        headers: { authorization: `Bearer ${site.ready.token}`, 'x-object-metadata': metadata },
        body: 'x',
      },
    );
    equal(refused.status, 400);
    match(await refused.text(), /x-object-metadata (is not JSON|has something other than strings)/);
  }

  // Later writes stay, and a database that has changed is reported.
  await site.call(`PUT A${kv}/bulk`, [{ key: 'plain', value: 'newer' }]);
  await site.call(`POST A/d1/database/${rows[1].id}/query`, { sql: 'DELETE FROM people' });
  const late = await run();
  equal(late.code, 3);
  match(late.stderr, /d1_databases some-database: the database shop-db of the account has tables with other/);
  equal(String((await read(site, `${kv}/values/plain`)).bytes), 'newer');

  await moveObjectsIn(t, folder, site);

  deepEqual(await runWorker(t, { directory: folder, path: '/odd' }), filled, 'the directory is as it was');
  const odd = await new MoveIn(
    t,
    folder,
    ['data', '--api', proxy, '--as', 'DB=odd', '--as', 'notes-of-then=others'],
    site.ready.token!,
  ).end();
  equal(odd.code, 3);
  match(
    odd.stderr,
    /d1_databases some-database: .*nothing was copied\. .*objects export d1_databases some-d/,
  );
  match(odd.stderr, /1 of 4 stores were not copied/);
  match(odd.stdout, /^kv_namespaces {2}NOTES {2}others {2}[0-9a-f]{32} {2}3 {2}0/);
  match(odd.stdout, /"kv_namespaces": \[\{"binding":"NOTES","id":"[0-9a-f]{32}"\}\]/);
});
