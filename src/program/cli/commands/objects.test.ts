import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test, type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRuntime } from '#objects';
import { Worker } from '#workers';
import { runCaptured } from '../testing.ts';

const examples = fileURLToPath(new URL('../../../../examples/', import.meta.url));

const log = {
  info: () => {},
  warn: (text: string) => assert.fail(text),
  error: (error: unknown) => assert.fail(error as Error),
};

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-objects-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

type Call = (method: string, path: string, body?: object) => Promise<any>;

/** Runs the example on a directory while `work` runs. */
async function withExample(directory: string, work: (call: Call) => Promise<void>): Promise<void> {
  const worker = await Worker.start({ path: examples, directory, log });
  try {
    await work(async (method, path, body) => {
      const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
      return (await worker.fetch(new Request(`http://example.test${path}`, init))).json();
    });
  } finally {
    await worker.close();
  }
}

async function objects(directory: string, ...args: string[]): Promise<any[]> {
  const { code, stdout, stderr } = await runCaptured('objects', ...args, '--data', directory, '--json');
  // On a busy machine it reports its progress.
  const said = stderr.replaceAll(/^[a-z ]+: \d.* \(\d+ %\).*\n/gm, '');
  assert.deepEqual([code, said], [0, ''], args.join(' '));
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

test('gatehouse objects lists, shows history, restores, exports and imports', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    await call('POST', '/counter/visits/increment');
    await call('POST', '/todo/home', { text: 'milk', remindInSeconds: 1_000_000 });
    await call('POST', '/todo/home', { text: 'bread' });
  });
  const listed = await objects(directory, 'list');
  assert.deepEqual(
    listed.map((row) => [row.class, row.name]),
    [
      ['Counter', 'visits'],
      ['TodoList', 'home'],
    ],
  );
  assert.deepEqual(await objects(directory, 'list', 'TodoList'), [listed[1]]);

  const points = await objects(directory, 'history', 'TodoList', 'home');
  assert.ok(points.length >= 2);
  const byId = await objects(directory, 'history', 'TodoList', listed[1].id, '--limit', '1');
  assert.deepEqual(byId, [points[0]]);

  const [{ undo }] = await objects(directory, 'restore', 'TodoList', 'home', points[1].bookmark);
  await withExample(directory, async (call) => {
    assert.deepEqual(
      (await call('GET', '/todo/home')).todos.map((todo: { text: string }) => todo.text),
      ['milk'],
    );
  });
  await objects(directory, 'restore', 'TodoList', 'home', undo);

  const file = join(directory, 'home.sqlite');
  await objects(directory, 'export', 'TodoList', 'home', file);
  const database = new DatabaseSync(file);
  assert.deepEqual(
    database
      .prepare('SELECT text FROM todos ORDER BY id')
      .all()
      .map((row) => row['text']),
    ['milk', 'bread'],
  );
  database.exec("INSERT INTO todos (text) VALUES ('imported')");
  database.close();
  await objects(directory, 'import', 'TodoList', 'copy', file);
  await withExample(directory, async (call) => {
    const { todos } = await call('GET', '/todo/copy');
    assert.deepEqual(
      todos.map((todo: { text: string }) => todo.text),
      ['milk', 'bread', 'imported'],
    );
  });
  assert.deepEqual(await objects(directory, 'scrub'), []);
});

test('gatehouse objects leaves overdue alarms for the code that set them', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    await call('POST', '/todo/home', { text: 'soon', remindInSeconds: 0.05 });
  });
  // Longer than the remaining time of the alarm.
  await delay(60);
  await objects(directory, 'list');
  await withExample(directory, async (call) => {
    for (let reminded = false; !reminded;) [{ reminded }] = (await call('GET', '/todo/home')).todos;
  });
});

test('gatehouse objects says why it cannot', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    await call('POST', '/counter/visits/increment');
    await call('POST', '/todo/home', { text: 'milk' });
  });
  {
    await using _program = await createRuntime({ directory, classes: 'recorded' });
    const { code, stderr } = await runCaptured('objects', 'list', '--data', directory);
    assert.equal(code, 1);
    assert.match(stderr, /^gatehouse: cannot open .*, another runtime owns it: process \d+\..*\n$/);
  }
  const text = join(directory, 'text');
  writeFileSync(text, 'no database '.repeat(1_000));
  const cases: [string[], RegExp][] = [
    [['history', 'Nothing', 'a'], /there is no class Nothing .*: it has Counter, TodoList\n$/],
    [['history', 'Counter', 'visits'], /Counter has key-value storage, which keeps no history\n$/],
    [['restore', 'TodoList', 'home', 'nonsense'], /Invalid bookmark/],
    [['import', 'TodoList', 'home', directory], /cannot import, this is not a file: /],
    [
      ['import', 'TodoList', 'home', text],
      /cannot import, the file is not a whole database: file is not a database/,
    ],
    [
      ['history', 'TodoList', 'hmoe'],
      /TodoList has no object hmoe: gatehouse objects list TodoList lists its objects/,
    ],
    [['export', 'TodoList', 'hmoe', join(directory, 'hmoe.sqlite')], /TodoList has no object hmoe/],
    [['restore', 'TodoList', 'hmoe', '--time', new Date().toISOString()], /TodoList has no object hmoe/],
    [['import', 'TodoList', 'home', '/does/not/exist'], /the file does not exist: \/does\/not\/exist\n$/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await runCaptured('objects', ...args, '--data', directory);
    assert.equal(code, 1);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /\n {4}at /);
  }
});

test('gatehouse objects scrub names damaged files and fails', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    for (const text of ['milk', 'bread', 'salt']) await call('POST', '/todo/home', { text });
  });
  const file = globSync(join(directory, 'journal', '*')).find((each) =>
    readFileSync(each).includes('bread'),
  )!;
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('bread')]! ^= 1;
  writeFileSync(file, bytes);
  const { code, stdout, stderr } = await runCaptured('objects', 'scrub', '--data', directory);
  assert.equal(code, 1);
  assert.ok((stdout + stderr).includes(`${file} at byte `), stdout + stderr);
});

test('gatehouse objects leaves a directory alone that only looks like one', async (t) => {
  const directory = temporary(t);
  mkdirSync(join(directory, 'journal'));
  const { code, stderr } = await runCaptured('objects', 'list', '--data', directory);
  assert.equal(code, 1);
  assert.match(stderr, /there are no objects in /);
  assert.deepEqual(readdirSync(directory), ['journal']);
});

test('gatehouse objects scrub finds a deleted file, export says which, and repair rebuilds it', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    for (const text of ['milk', 'bread']) await call('POST', '/todo/home', { text });
  });
  const [, latest] = await objects(directory, 'history', 'TodoList', 'home');
  await objects(directory, 'restore', 'TodoList', 'home', latest.bookmark);
  const [image] = globSync(join(directory, 'images', '*', '*.base'));
  rmSync(image!);
  const scrubbed = await runCaptured('objects', 'scrub', '--data', directory);
  assert.equal(scrubbed.code, 1);
  assert.match(
    scrubbed.stdout,
    new RegExp(`^${image}  0  the file is missing, a base of object \\d+-[0-9a-f]{64}\n$`),
  );
  const out = join(directory, 'out.sqlite');
  const exported = await runCaptured('objects', 'export', 'TodoList', 'home', out, '--data', directory);
  assert.equal(exported.code, 1);
  assert.match(
    exported.stderr,
    /^gatehouse: cannot read a database image, the file is missing: .*\.base at byte 0\. gatehouse objects repair rebuilds/,
  );
  assert.doesNotMatch(exported.stderr, /ENOENT|\n {4}at /);

  const [planned] = await objects(directory, 'repair', '--dry-run');
  assert.deepEqual(
    [planned.class, planned.name, planned.outcome, planned.file],
    ['TodoList', 'home', 'rebuildable', image],
  );
  const [done] = await objects(directory, 'repair');
  assert.equal(done.outcome, 'rebuilt');
  assert.deepEqual(await objects(directory, 'repair'), []);
  assert.deepEqual(await objects(directory, 'scrub'), []);
  await objects(directory, 'export', 'TodoList', 'home', out);
});

test('gatehouse objects scrub and repair report damage that keeps the directory from being opened', async (t) => {
  const directory = temporary(t);
  await withExample(directory, async (call) => {
    await call('POST', '/todo/home', { text: 'milk' });
  });
  const [run] = globSync(join(directory, 'tables', '*.run'));
  rmSync(run!);
  const { code, stdout } = await runCaptured('objects', 'scrub', '--data', directory);
  assert.deepEqual([code, stdout.includes(run!)], [1, true]);
  const repaired = await runCaptured('objects', 'repair', '--data', directory);
  assert.equal(repaired.code, 0);
  assert.match(repaired.stdout, /rebuilt .*the tables, from the log; the damaged ones are in /);
  const again = await runCaptured('objects', 'scrub', '--data', directory);
  assert.deepEqual([again.code, again.stdout], [0, 'nothing is damaged or missing\n']);
});

test('gatehouse objects names the directory of dev when ./data has no objects', async (t) => {
  const directory = temporary(t);
  const before = process.cwd();
  t.after(() => process.chdir(before));
  process.chdir(directory);
  const none = await runCaptured('objects', 'list');
  assert.match(none.stderr, /there are no objects in .*data: choose their directory with --data/);
  await withExample(join(directory, '.gatehouse/state'), async (call) => {
    await call('POST', '/todo/home', { text: 'milk' });
  });
  const named = await runCaptured('objects', 'list');
  assert.equal(named.code, 1);
  assert.match(named.stderr, /those of gatehouse dev are in .*: add --data \.gatehouse\/state\n$/);
  assert.equal((await runCaptured('objects', 'list', '--data', '.gatehouse/state')).code, 0);
});
