import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { readConfig } from './config-file.ts';

function project(t: TestContext, files: Record<string, string | object>): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-config-'));
  t.after(() => rmSync(directory, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return directory;
}

const chat = {
  name: 'chat',
  main: 'src/index.ts',
  compatibility_date: '2026-01-01',
  durable_objects: {
    bindings: [
      { name: 'ROOMS', class_name: 'Room' },
      { name: 'USERS', class_name: 'User', script_name: 'chat' },
    ],
  },
  migrations: [{ tag: 'v1', new_classes: ['User'], new_sqlite_classes: ['Room'] }],
  vars: { GREETING: 'hi', LIMITS: { rooms: 3 } },
};

test('readConfig reads bindings, storage kinds and variables', (t) => {
  const directory = project(t, { 'wrangler.jsonc': chat });
  const config = readConfig({ path: directory });
  assert.equal(config.main, join(directory, 'src/index.ts'));
  assert.deepEqual(config.bindings, [
    { name: 'ROOMS', className: 'Room' },
    { name: 'USERS', className: 'User' },
  ]);
  assert.deepEqual(Object.fromEntries(config.classes), {
    User: { storage: 'kv', uniqueKey: 'User' },
    Room: { storage: 'sql', uniqueKey: 'Room' },
  });
  assert.deepEqual(config.vars, { GREETING: 'hi', LIMITS: { rooms: 3 } });
  assert.deepEqual(config.warnings, []);
});

test('readConfig reads the same from TOML, and secrets from .dev.vars', (t) => {
  const toml = `
name = "chat"
main = "src/index.ts"
[vars]
GREETING = "hi"
[[durable_objects.bindings]]
name = "ROOMS"
class_name = "Room"
[[migrations]]
tag = "v1"
new_sqlite_classes = ["Room"]
`;
  const directory = project(t, { 'wrangler.toml': toml, '.dev.vars': 'SECRET="shh"\nGREETING=hello' });
  const config = readConfig({ path: join(directory, 'wrangler.toml') });
  assert.deepEqual(config.bindings, [{ name: 'ROOMS', className: 'Room' }]);
  assert.deepEqual(config.vars, { GREETING: 'hello', SECRET: 'shh' });
});

test('readConfig takes an environment: own bindings and variables, the rest inherited', (t) => {
  const staging = {
    vars: { GREETING: 'staging' },
    durable_objects: { bindings: [{ name: 'R', class_name: 'Room' }] },
  };
  const directory = project(t, { 'wrangler.json': { ...chat, env: { staging } } });
  const config = readConfig({ path: directory, environment: 'staging' });
  assert.deepEqual(config.bindings, [{ name: 'R', className: 'Room' }]);
  assert.deepEqual(config.vars, { GREETING: 'staging' });
  assert.equal(config.classes.get('Room')?.storage, 'sql');
  assert.throws(
    () => readConfig({ path: directory, environment: 'prod' }),
    /no environment "prod" under env: staging$/,
  );
});

test('readConfig follows renamed, deleted and recreated classes', (t) => {
  const migrations = [
    { tag: 'v1', new_classes: ['A', 'B'] },
    { tag: 'v2', renamed_classes: [{ from: 'A', to: 'Z' }], deleted_classes: ['B'] },
    { tag: 'v3', new_sqlite_classes: ['A', 'B'] },
  ];
  const { classes } = readConfig({ path: project(t, { 'wrangler.json': { main: 'a.js', migrations } }) });
  assert.deepEqual(Object.fromEntries(classes), {
    Z: { storage: 'kv', uniqueKey: 'A' },
    A: { storage: 'sql', uniqueKey: 'A~2' },
    B: { storage: 'sql', uniqueKey: 'B~2' },
  });
});

test('readConfig says what is out of scope, unknown or undeclared, and goes on', (t) => {
  const directory = project(t, {
    'wrangler.json': {
      main: 'a.js',
      vectorize: [{ binding: 'CACHE', index_name: 'x' }],
      pipelines: [{ binding: 'JOBS', pipeline: 'jobs' }],
      send_email: [{ name: 'MAIL' }],
      compatability_date: '2026-01-01',
      durable_objects: {
        bindings: [
          { name: 'ROOMS', class_name: 'Room' },
          { name: 'OTHER', class_name: 'Far', script_name: 'elsewhere' },
        ],
      },
    },
  });
  const { warnings, absent, bindings } = readConfig({ path: directory });
  assert.deepEqual([...absent.keys()], ['CACHE', 'JOBS', 'MAIL']);
  assert.match(
    absent.get('CACHE')!,
    /^env.CACHE comes from vectorize, which is out of scope: Gatehouse has no vector indexes/,
  );
  assert.deepEqual(bindings, [
    { name: 'ROOMS', className: 'Room' },
    { name: 'OTHER', className: 'Far', script: 'elsewhere' },
  ]);
  const text = warnings.join('\n');
  assert.match(text, /compatability_date is not known and ignored: did you mean compatibility_date\?/);
  assert.match(text, /class Room of the binding ROOMS is in no migration and gets key-value storage/);
});

test('readConfig reads assets, services, crons and classes declared by exports', (t) => {
  const directory = project(t, {
    'wrangler.json': {
      name: 'site',
      main: 'a.js',
      assets: { directory: './public', run_worker_first: ['/api/*'] },
      services: [{ binding: 'AUTH', service: 'auth', environment: 'staging', props: { role: 'x' } }],
      triggers: { crons: ['0 * * * *'] },
      exports: {
        Room: { type: 'durable-object', storage: 'sqlite' },
        Old: { type: 'durable-object', storage: 'legacy-kv' },
        Gone: { type: 'durable-object', state: 'deleted' },
      },
    },
  });
  const { assets, services, crons, classes, warnings } = readConfig({ path: directory });
  assert.deepEqual(assets, {
    directory: join(directory, 'public'),
    binding: undefined,
    htmlHandling: 'auto-trailing-slash',
    notFoundHandling: 'none',
    workerFirst: ['/api/*'],
    isAlone: false,
  });
  assert.deepEqual(services, [
    { name: 'AUTH', service: 'auth-staging', entrypoint: undefined, props: { role: 'x' } },
  ]);
  assert.deepEqual(crons, ['0 * * * *']);
  assert.deepEqual(Object.fromEntries(classes), {
    Room: { storage: 'sql', uniqueKey: 'Room' },
    Old: { storage: 'kv', uniqueKey: 'Old' },
  });
  assert.deepEqual(warnings, []);
});

test('readConfig prefers .dev.vars to .env, and the files of an environment to both', (t) => {
  const read = (files: Record<string, string>, config: object = {}, environment?: string) =>
    readConfig({
      path: project(t, {
        'wrangler.json': { name: 'n', main: 'a.js', vars: { A: 'config' }, env: { x: {} }, ...config },
        ...files,
      }),
      environment,
    });
  const env = { '.env': 'A=env\nB=env', '.env.local': 'B=local', '.env.x': 'B=x' };
  assert.deepEqual(read(env).vars, { A: 'env', B: 'local' });
  assert.deepEqual(read({ ...env, '.dev.vars': 'C=dev' }).vars, { A: 'config', C: 'dev' });
  const named = read({ ...env, '.dev.vars': 'C=dev', '.dev.vars.x': 'D=x' }, {}, 'x');
  assert.deepEqual(named.vars, { D: 'x' });
  assert.equal(named.name, 'n-x');
  assert.match(
    named.warnings.join(),
    /vars is at the top level and not in env\.x, which does not inherit it/,
  );
  assert.deepEqual(read(env, {}, 'x').vars, { A: 'env', B: 'x' });
  const required = read({ '.dev.vars': 'A=dev\nB=dev\nC=dev' }, { secrets: { required: ['B', 'Z'] } });
  assert.deepEqual(required.vars, { A: 'dev', B: 'dev' });
  assert.deepEqual(required.warnings, [
    'wrangler.json: the secret Z is required, and neither .dev.vars nor .env has it',
  ]);
});

test('readConfig binds the exported classes of a bare module', (t) => {
  const directory = project(t, { 'worker.ts': '' });
  const config = readConfig({ path: join(directory, 'worker.ts') });
  assert.equal(config.bindings, 'exported');
  assert.equal(config.file, undefined);
});

test('readConfig names the place of every mistake', (t) => {
  const cases: [object | string, RegExp][] = [
    ['[]', /^wrangler.json: the file must be a table/],
    [{}, /^wrangler.json: main is missing$/],
    [{ main: 5 }, /main must be a string that is not empty: 5$/],
    [{ main: 'a.js', durable_objects: [] }, /durable_objects must be a table/],
    [{ main: 'a.js', durable_objects: { bindings: [{}] } }, /durable_objects.bindings\[0\].name is missing$/],
    [{ main: 'a.js', migrations: {} }, /migrations must be a list of tables: {}$/],
    [{ main: 'a.js', migrations: [{ new_classes: [] }] }, /migrations\[0\].tag is missing$/],
    [{ main: 'a.js', migrations: [{ tag: 'v1' }, { tag: 'v1' }] }, /two migrations have the tag "v1"$/],
    [
      { main: 'a.js', migrations: [{ tag: 'v1', new_classes: 'A' }] },
      /new_classes must be a list of strings: "A"$/,
    ],
    [
      { main: 'a.js', migrations: [{ tag: 'v1', new_classes: ['A', 'A'] }] },
      /creates the class A, which exists already$/,
    ],
    [
      { main: 'a.js', migrations: [{ tag: 'v1', deleted_classes: ['A'] }] },
      /class A, which no earlier migration creates$/,
    ],
    [{ main: 'a.js', migrations: [{ tag: 'v1', transferred_classes: [{}] }] }, /from_script is missing$/],
    [
      { main: 'a.js', migrations: [{ tag: 'v1' }], exports: {} },
      /`migrations` and `exports` are mutually exclusive/,
    ],
    [
      { main: 'a.js', exports: { A: { type: 'durable-object', storage: 'x' } } },
      /exports\.A\.storage must be/,
    ],
    [{ main: 'a.js', define: { A: 1 } }, /define must be a table of strings/],
    [{ main: 'a.js', no_bundle: 'yes' }, /no_bundle must be true or false: "yes"$/],
    [{ main: 'a.js', services: [{ binding: 'A' }] }, /services\[0\]\.service is missing$/],
    ['{ "main": }', /^wrangler.json:1:11: a value was expected/],
  ];
  for (const [content, message] of cases) {
    const path = project(t, { 'wrangler.json': content });
    assert.throws(() => readConfig({ path }), { name: 'ConfigError', message });
  }
  const toml = project(t, { 'wrangler.toml': 'name = "a"\nmain = \n' });
  assert.throws(() => readConfig({ path: toml }), { name: 'ConfigError', message: /^wrangler.toml:2:\d+: / });
  assert.throws(() => readConfig({ path: join(toml, 'none') }), /there is no such file or directory/);
  assert.throws(
    () => readConfig({ path: project(t, {}) }),
    /looked for wrangler.jsonc, wrangler.json, wrangler.toml/,
  );
  const text = project(t, { 'notes.txt': '' });
  assert.throws(
    () => readConfig({ path: join(text, 'notes.txt') }),
    /neither a configuration .* nor a module/,
  );
});
