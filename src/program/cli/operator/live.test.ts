/** `gatehouse objects` while a program runs on the directory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text as readText } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VirtualClock } from '#base';
import { connectOperator } from '#operator';
import { Worker } from '#workers';
import { runCaptured } from '../testing.ts';

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));
const main = fileURLToPath(new URL('../main.ts', import.meta.url));

interface Running {
  readonly directory: string;
  readonly worker: Worker;
}

/** Runs the example on a directory of its own until the test ends. */
async function startExample(t: TestContext, folder = 'data'): Promise<Running> {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-live-'));
  const directory = join(parent, folder);
  const log = {
    info: () => {},
    warn: (text: string) => assert.fail(text),
    error: (error: unknown) => assert.fail(error as Error),
  };
  const worker = await Worker.start({ path: examples, directory, log });
  t.after(async () => {
    await worker.close();
    rmSync(parent, { recursive: true });
  });
  return { directory, worker };
}

async function call(worker: Worker, method: string, path: string, body?: object): Promise<any> {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return (await worker.fetch(new Request(`http://example.test${path}`, init))).json();
}

async function objects(directory: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCaptured('objects', ...args, '--data', directory);
  assert.deepEqual([code, stderr], [0, ''], args.join(' '));
  return stdout;
}

/** Runs a command in a separate process, with this standard input. */
async function objectsReading(text: string, directory: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [main, 'objects', ...args, '--data', directory], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // Not before it can wait for it.
  await once(child, 'spawn');
  child.stdin.end(text);
  const [stdout, [code]] = await Promise.all([readText(child.stdout), once(child, 'close')]);
  assert.equal(code, 0, args.join(' '));
  return stdout;
}

const looks = [
  ['list'],
  ['list', 'TodoList', '--json'],
  ['history', 'TodoList', 'home', '--json'],
  ['history', 'TodoList', 'home', '--limit', '1'],
  ['get', 'Counter', 'visits'],
  ['get', 'Counter', 'visits', 'value', '--json'],
  ['sql', 'TodoList', 'home', 'SELECT text FROM todos ORDER BY id'],
  ['sql', 'TodoList', 'home', "SELECT id, x'0102' AS bytes, NULL AS empty FROM todos", '--json'],
  ['scrub'],
  ['repair', '--dry-run'],
];

test('gatehouse objects prints the same while a program runs on the directory as when none does', async (t) => {
  const { directory, worker } = await startExample(t);
  await call(worker, 'POST', '/counter/visits/increment');
  for (const text of ['milk', 'bread']) await call(worker, 'POST', '/todo/home', { text });
  const live = [];
  for (const look of looks) live.push(await objects(directory, ...look));
  await worker.close();
  for (const [index, look] of looks.entries()) {
    assert.equal(await objects(directory, ...look), live[index], look.join(' '));
  }
  assert.deepEqual(live.slice(4, 7), ['value  1\n', '{"key":"value","value":1}\n', 'milk\nbread\n']);
});

test('gatehouse objects changes an object that is awake, and the object goes on from there', async (t) => {
  const { directory, worker } = await startExample(t);
  const texts = async (name = 'home'): Promise<string[]> =>
    (await call(worker, 'GET', `/todo/${name}`)).todos.map((todo: { text: string }) => todo.text);
  for (const text of ['milk', 'bread']) await call(worker, 'POST', '/todo/home', { text });
  const [, before] = (await objects(directory, 'history', 'TodoList', 'home')).split('\n');
  const undo = (await objects(directory, 'restore', 'TodoList', 'home', before!.split(' ')[0]!)).trim();
  assert.deepEqual(await texts(), ['milk']);
  await objects(directory, 'restore', 'TodoList', 'home', undo);
  assert.deepEqual(await texts(), ['milk', 'bread']);

  const file = join(directory, 'home.sqlite');
  await objects(directory, 'export', 'TodoList', 'home', file);
  using database = new DatabaseSync(file);
  assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
  assert.deepEqual({ ...database.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'delete' });
  database.exec("INSERT INTO todos (text) VALUES ('imported')");
  await objects(directory, 'import', 'TodoList', 'copy', file);
  assert.deepEqual(await texts('copy'), ['milk', 'bread', 'imported']);

  const write = [
    'sql',
    'TodoList',
    'home',
    "UPDATE todos SET text = 'tea' WHERE text = 'milk' RETURNING text",
  ];
  const refused = await runCaptured('objects', ...write, '--data', directory);
  assert.deepEqual(refused.code, 1);
  assert.match(refused.stderr, /the query writes: add --write/);
  const written = await runCaptured('objects', ...write, '--write', '--data', directory);
  assert.deepEqual([written.code, written.stdout], [0, 'tea\n']);
  assert.match(written.stderr, /^undo with: gatehouse objects restore TodoList home [0-9a-f-]+\n$/m);
  assert.deepEqual(await texts(), ['tea', 'bread']);
  await objects(directory, 'restore', 'TodoList', 'home', written.stderr.trim().split(' ').at(-1)!);
  assert.deepEqual(await texts(), ['milk', 'bread']);
});

test('gatehouse objects sql takes a query of any length from a file or standard input, and put a value', async (t) => {
  const { directory, worker } = await startExample(t);
  await call(worker, 'POST', '/todo/home', { text: 'milk' });
  const sql = (...args: string[]) =>
    runCaptured('objects', 'sql', 'TodoList', 'home', ...args, '--data', directory);
  // The kernel accepts no argument of this length.
  const insert = `INSERT INTO todos (text) VALUES ('${'é'.repeat(40_000)}');\n`;
  const text = `${insert.repeat(3)}SELECT count(*) AS todos FROM todos; -- milk and the others\n`;
  const script = join(directory, 'script.sql');
  writeFileSync(script, text);
  const { code, stdout } = await sql('--write', '--file', script);
  assert.deepEqual([code, stdout], [0, '4\n']);
  assert.equal(await objectsReading(text, directory, 'sql', 'TodoList', 'home', '-', '--write'), '7\n');
  const date = '{"$date": "2026-01-31T12:00:00Z"}';
  await objectsReading(date, directory, 'put', 'TodoList', 'home', 'when', '-');
  assert.match(await objects(directory, 'get', 'TodoList', 'home', 'when'), /2026-01-31T12:00:00/);
  for (const args of [[], ['SELECT 1', '--file', script]]) assert.deepEqual((await sql(...args)).code, 2);
  const missing = await sql('--file', join(directory, 'none.sql'));
  assert.deepEqual(missing.code, 1);
  assert.match(missing.stderr, /no such file or directory.*none\.sql/);
});

test('gatehouse objects sql keeps to the rows asked for and to the SQL that objects may use', async (t) => {
  const { directory, worker } = await startExample(t);
  await call(worker, 'POST', '/todo/home', { text: 'milk' });
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n';
  const few = await runCaptured(
    'objects',
    'sql',
    'TodoList',
    'home',
    numbers,
    '--limit',
    '3',
    '--data',
    directory,
  );
  assert.deepEqual([few.code, few.stdout], [0, '1\n2\n3\n']);
  assert.match(few.stderr, /there are more rows/);
  for (const query of [
    "ATTACH '/tmp/x' AS x",
    'PRAGMA journal_mode = DELETE',
    'SELECT * FROM _cf_KV',
    'nonsense',
  ]) {
    const { code, stderr } = await runCaptured(
      'objects',
      'sql',
      'TodoList',
      'home',
      query,
      '--write',
      '--data',
      directory,
    );
    assert.equal(code, 1, query);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test('gatehouse objects takes moments as times, as how long ago, and as bookmarks', async (t) => {
  const { directory, worker } = await startExample(t);
  const select = ['sql', 'TodoList', 'home', 'SELECT text FROM todos ORDER BY id'];
  for (const text of ['milk', 'bread']) await call(worker, 'POST', '/todo/home', { text });
  const points = (await objects(directory, 'history', 'TodoList', 'home', '--json')).trim().split('\n');
  const [later, earlier] = points.map((point) => JSON.parse(point) as { bookmark: string; time: string });
  const { bookmark, time } = earlier!;
  assert.equal(await objects(directory, ...select), 'milk\nbread\n');
  assert.equal(await objects(directory, ...select, '--time', bookmark), 'milk\n');
  // Two writes within one millisecond cannot be distinguished by their time.
  const atThatTime = time === later!.time ? 'milk\nbread\n' : 'milk\n';
  assert.equal(await objects(directory, ...select, '--time', time), atThatTime);
  assert.equal(await objects(directory, ...select, '--time', '0s'), 'milk\nbread\n');
  assert.match(
    await objects(directory, 'history', 'TodoList', 'home', '--time', bookmark),
    new RegExp(`^${bookmark} `),
  );
  const wrong = await runCaptured('objects', ...select, '--time', 'yesterday', '--data', directory);
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [
      2,
      'gatehouse: --time must be a time such as 2026-01-31T12:00:00Z, how long ago such as 1h or 2d12h, or a bookmark: yesterday\n',
    ],
  );
});

test('gatehouse objects reaches a program only as its user, and leaves nothing behind', async (t) => {
  const { directory, worker } = await startExample(t, 'a'.repeat(120));
  await call(worker, 'POST', '/todo/home', { text: 'milk' });
  assert.equal(statSync(join(directory, 'operator.sock')).mode & 0o777, 0o600);
  assert.match(await objects(directory, 'list'), /^TodoList {2}[0-9a-f]{64} {2}home\n$/);
  await worker.close();
  const left = readdirSync(directory).filter((name) => name.includes('operator'));
  assert.deepEqual(left, []);
});

test('gatehouse objects stores and deletes values and runs alarms through the program that runs', async (t) => {
  const { directory, worker } = await startExample(t);
  await call(worker, 'POST', '/counter/visits/increment?by=2');
  assert.equal(await objects(directory, 'put', 'Counter', 'visits', 'value', '40'), 'put\n');
  assert.deepEqual(await call(worker, 'POST', '/counter/visits/increment?by=2'), { value: 42 });
  const refused = await runCaptured(
    'objects',
    'put',
    'Counter',
    'visits',
    'value',
    '{"$date": 1}',
    '--data',
    directory,
  );
  assert.deepEqual(
    [refused.code, refused.stderr],
    [2, 'gatehouse: $date at the top must be a time such as 2026-01-31T12:00:00Z, or null\n'],
  );
  await objects(directory, 'delete', 'Counter', 'visits', 'value');
  assert.deepEqual(await call(worker, 'GET', '/counter/visits'), { value: 0 });
  const absent = await runCaptured('objects', 'put', 'Counter', 'nobody', 'value', '1', '--data', directory);
  assert.match(absent.stderr, /Counter has no object nobody/);

  await call(worker, 'POST', '/todo/home', { text: 'tea', remindInSeconds: 3600 });
  assert.match(await objects(directory, 'alarms'), /^TodoList {2}[0-9a-f]{64} {2}home {2}\S+Z\n$/);
  assert.equal(await objects(directory, 'alarm', 'run', 'TodoList', 'home'), 'completed\n');
  await call(worker, 'POST', '/todo/home', { text: 'cake', remindInSeconds: 3600 });
  assert.match(
    await objects(directory, 'alarm', 'cancel', 'TodoList', 'home'),
    /^cancel-alarm {2}[0-9a-f-]+\n$/,
  );
  assert.equal(await objects(directory, 'alarms'), '');
  const none = await runCaptured('objects', 'alarm', 'run', 'TodoList', 'home', '--data', directory);
  assert.deepEqual([none.code, /has no alarm that could run/.test(none.stderr)], [1, true]);
});

test('the door of a Worker with a virtual clock shows and moves it, and runs what is due', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'gatehouse-live-'));
  const directory = join(parent, 'data');
  const clock = new VirtualClock({ start: Date.UTC(2026, 0, 1) });
  const log = { info: () => {}, warn: assert.fail, error: assert.fail };
  const worker = await Worker.start({ path: examples, directory, clock, log });
  t.after(async () => {
    await worker.close();
    rmSync(parent, { recursive: true });
  });
  await call(worker, 'POST', '/todo/home', { text: 'tea', remindInSeconds: 3600 });
  const client = (await connectOperator(directory))!;
  assert.deepEqual((await client.get('/clock')).result, { now: '2026-01-01T00:00:00.000Z' });
  assert.deepEqual((await client.post('/clock', { body: { next: 'alarm' } })).result, {
    now: '2026-01-01T01:00:00.000Z',
    alarm_ran: true,
  });
  assert.equal(await objects(directory, 'alarms'), '');
  const set = { set: '2025-01-01T00:00:00Z' };
  await assert.rejects(client.post('/clock', { body: set }), /time cannot go back/);

  const command = (...args: string[]) => runCaptured('clock', ...args, '--data', directory);
  assert.equal((await command('advance', '1h')).stdout, '2026-01-01T02:00:00.000Z\n');
  assert.equal((await command('show', '--json')).stdout, '{"now":"2026-01-01T02:00:00.000Z"}\n');
  const back = await command('set', '2025-01-01');
  assert.deepEqual(
    [back.code, back.stderr.startsWith('gatehouse: cannot move the clock: set must be')],
    [3, true],
  );
  const absent = await runCaptured('clock', 'show', '--data', parent);
  assert.match(absent.stderr, /no gatehouse dev with a virtual clock runs on /);
});

test('gatehouse objects put says that a program has to run', async (t) => {
  const { directory, worker } = await startExample(t);
  await call(worker, 'POST', '/counter/visits/increment?by=2');
  await worker.close();
  const { code, stderr } = await runCaptured(
    'objects',
    'put',
    'Counter',
    'visits',
    'value',
    '1',
    '--data',
    directory,
  );
  assert.equal(code, 1);
  assert.match(stderr, /no program runs on .*: start gatehouse dev or serve/);
});
