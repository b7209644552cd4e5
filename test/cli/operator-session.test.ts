/**
 * The session of docs/operate/operators.md, by any HTTP client: list objects, run SQL, back up, deploy, roll back,
 * through the socket in the data directory of a running program.
 */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { restoreBackup } from '#operator';
import { readTar } from '#streams';
import { runCaptured } from '../../src/program/cli/testing.ts';
import { Gatehouse, temporary } from '../server/gatehouse.ts';

const module = (version: string): string => `
import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async fetch() {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS visits (id INTEGER PRIMARY KEY)');
    this.ctx.storage.sql.exec('INSERT INTO visits DEFAULT VALUES');
    return new Response('${version} ' + this.ctx.storage.sql.exec('SELECT count(*) AS n FROM visits').one().n);
  }
}
export default { fetch: (request, env) => env.COUNTER.getByName('a').fetch(request) };`;

function writeProject(project: string, version: string): void {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'index.js'), module(version));
  const config = {
    name: 'counter',
    main: 'index.js',
    compatibility_date: '2026-01-01',
    durable_objects: { bindings: [{ name: 'COUNTER', class_name: 'Counter' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Counter'] }],
  };
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(config));
}

interface Envelope {
  readonly success: boolean;
  readonly errors: readonly { readonly message: string }[];
  // oxlint-disable-next-line typescript/no-explicit-any -- as a person reads it
  readonly result: any;
}

test('an operator lists objects, runs SQL, backs up, deploys and rolls back with an HTTP client alone', async (t) => {
  const directory = temporary(t);
  const data = join(directory, 'data');
  const project = join(directory, 'project');
  writeProject(project, 'one');
  const start = { command: 'run', directory, args: ['project', '--data', 'data', '--port', '0'] } as const;
  const { server, ready } = await Gatehouse.start(t, start);
  const { url } = ready as unknown as { readonly url: string };
  const visit = async (): Promise<string> => await (await fetch(url)).text();
  equal(await visit(), 'one 1');

  const socketPath = join(data, 'operator.sock');
  equal(statSync(socketPath).mode & 0o777, 0o600);
  const open = async (method: string, path: string, body?: object): Promise<IncomingMessage> => {
    // As curl -d does.
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const outgoing = request({ socketPath, method, path, host: 'gatehouse', headers });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    return incoming;
  };
  const ask = async (method: string, path: string, body?: object): Promise<Envelope> =>
    (await json(await open(method, path, body))) as Envelope;

  // Objects.
  deepEqual((await ask('GET', '/objects')).result, [{ name: 'Counter', storage: 'sql', objects: 1 }]);
  const [listed] = (await ask('GET', '/objects/Counter')).result;
  equal(listed.name, 'a');

  // SQL: reading is done on a copy, a change is an event of the object and can be undone.
  const { result: read } = await ask('POST', '/objects/Counter/a/query', { sql: 'SELECT id FROM visits' });
  deepEqual(read, { columns: ['id'], rows: [[1]], has_more: false });
  const sql = 'INSERT INTO visits VALUES (41)';
  match((await ask('POST', '/objects/Counter/a/query', { sql })).errors[0]!.message, /the query writes/);
  const { result: written } = await ask('POST', '/objects/Counter/a/execute', { sql, confirm: 'a' });
  equal(written.rows_written, 1);
  equal(await visit(), 'one 3');
  const { undo: bookmark } = written;
  equal((await ask('POST', '/objects/Counter/a/restore', { bookmark, confirm: 'a' })).success, true);
  equal(await visit(), 'one 2');

  // A backup: an archive, and gatehouse restore takes the folder that it was unpacked to.
  const backup = join(directory, 'backup');
  for await (const { path, content } of readTar(await open('POST', '/backup'))) {
    mkdirSync(dirname(join(backup, path)), { recursive: true });
    writeFileSync(join(backup, path), Buffer.concat(await Array.fromAsync(content)));
  }
  match(readFileSync(join(backup, 'backup.jsonl'), 'utf8'), /^\{"gatehouse_backup":1,/);
  const restored = join(directory, 'restored');
  deepEqual((await restoreBackup({ backup, to: restored })).lost, []);
  const { stdout } = await runCaptured(
    ...['objects', 'sql', 'Counter', 'a', 'SELECT count(*) AS n FROM visits', '--data', restored],
  );
  equal(stdout, '2\n');

  // Versions.
  writeProject(project, 'two');
  const { result: deployed } = await ask('POST', '/deployments', { path: project });
  deepEqual([deployed.current, deployed.is_changed], [2, true]);
  equal(await visit(), 'two 3');
  // The objects are now in another process, behind the same socket.
  equal((await ask('GET', '/objects/Counter/a')).result.name, 'a');
  const { result: back } = await ask('POST', '/deployments/rollback');
  deepEqual([back.current, back.is_changed], [1, true]);
  equal(await visit(), 'one 4');
  const { result: kept } = await ask('GET', '/deployments');
  deepEqual([kept.current, kept.versions.map((each: { number: number }) => each.number)], [1, [1, 2]]);

  // Errors have a code, and nothing is changed.
  writeFileSync(join(project, 'index.js'), 'export default {');
  const refused = await ask('POST', '/deployments', { path: project });
  match(refused.errors[0]!.message, /version 1 keeps running: version 3 does not load/);
  match((await ask('GET', '/objects/Counter/nobody')).errors[0]!.message, /Counter has no object nobody/);
  ok(!(await ask('GET', '/nonsense')).success);
  equal(await visit(), 'one 5');
  equal(await server.end('SIGTERM'), 0);
});
