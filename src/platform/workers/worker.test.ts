import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Worker } from './worker.ts';

class Project {
  readonly directory = mkdtempSync(join(tmpdir(), 'gatehouse-worker-'));
  readonly said: string[] = [];
  worker: Worker | undefined;

  constructor(t: TestContext, files: Record<string, string | object>) {
    this.write(files);
    t.after(async () => {
      await this.worker?.close();
      rmSync(this.directory, { recursive: true });
    });
  }

  write(files: Record<string, string | object>): void {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(
        join(this.directory, name),
        typeof content === 'string' ? content : JSON.stringify(content),
      );
    }
  }

  async start(): Promise<Worker> {
    const say = (text: unknown) => void this.said.push(String(text));
    const log = { info: say, warn: say, error: say };
    this.worker = await Worker.start({ path: this.directory, log, durability: 'os' });
    return this.worker;
  }

  async get(path: string): Promise<string> {
    return (await this.worker!.fetch(new Request(`http://worker.test${path}`))).text();
  }
}

function config(rest: object = {}): object {
  return {
    main: 'index.ts',
    durable_objects: { bindings: [{ name: 'BOXES', class_name: 'Box' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Box'] }],
    ...rest,
  };
}

/** A module whose object holds a call open until `/release`. */
function boxModule(version: string): string {
  return `
    import { DurableObject, env as ambient, exports, waitUntil, abortIsolate } from 'cloudflare:workers';
    import { VERSION_SUFFIX } from './suffix';
    let release;
    export class Box extends DurableObject {
      async version() { return '${version}' + VERSION_SUFFIX; }
      async put(value) { await this.ctx.storage.put('value', value); }
      async get() { return (await this.ctx.storage.get('value')) ?? 'nothing'; }
      async hold() { await new Promise((resolve) => (release = resolve)); return 'let go'; }
    }
    export default {
      async fetch(request, env, ctx) {
        const box = env.BOXES.getByName('a');
        switch (new URL(request.url).pathname) {
          case '/version': return new Response(await box.version());
          case '/put': await box.put('kept'); return new Response('put');
          case '/get': return new Response(await box.get());
          case '/hold': return new Response(await box.hold().catch((error) => error.message + ' ' + error.durableObjectReset));
          case '/same': return new Response(String(env !== ambient && env.BOXES === ambient.BOXES && ctx.exports.Box !== undefined && exports.Box !== undefined));
          case '/background': ctx.waitUntil(box.put('later')); waitUntil(Promise.reject(new Error('lost'))); return new Response('ok');
          case '/absent': return new Response(String(abortIsolate()));
        }
      },
    };`;
}

const box = {
  'wrangler.json': config(),
  'index.ts': boxModule('one'),
  'suffix.ts': "export const VERSION_SUFFIX = '!';",
};

test('Worker.reload resets objects that are running and goes on with their storage', async (t) => {
  const project = new Project(t, box);
  const worker = await project.start();
  await project.get('/put');
  const held = project.get('/hold');
  assert.equal(await project.get('/version'), 'one!');
  project.write({ 'index.ts': boxModule('two') });
  await worker.reload();
  assert.equal(await held, 'Durable Object reset because its code was updated. true');
  assert.equal(await project.get('/version'), 'two!');
  assert.equal(await project.get('/get'), 'kept');
  project.write({ 'suffix.ts': "export const VERSION_SUFFIX = '?';" });
  await worker.reload();
  assert.equal(await project.get('/version'), 'two?');
});

test('Worker.reload that is asked for during a reload runs once more after it', async (t) => {
  const project = new Project(t, box);
  const worker = await project.start();
  const first = worker.reload();
  project.write({ 'index.ts': boxModule('two') });
  const second = worker.reload();
  const third = worker.reload();
  await Promise.all([first, second, third]);
  assert.equal(await project.get('/version'), 'two!');
  assert.deepEqual(project.said, ['reloaded', 'reloaded']);
});

test('Worker.reload keeps what runs when the new version cannot', async (t) => {
  const project = new Project(t, box);
  const worker = await project.start();
  await project.get('/put');
  const broken: [Record<string, string | object>, RegExp][] = [
    [{ 'index.ts': 'export default {' }, /index\.ts/],
    [{ 'index.ts': 'throw new Error("at load")' }, /at load/],
    [{ 'index.ts': 'export class Bax {}' }, /does not export the class Box, .*exported classes: Bax$/],
    [{ 'index.ts': boxModule('two'), 'wrangler.json': '{' }, /wrangler.json:1:2/],
    [
      { 'wrangler.json': config({ migrations: [{ tag: 'v1', new_classes: ['Box'] }] }) },
      /written with 'sql'/,
    ],
  ];
  for (const [files, message] of broken) {
    project.said.length = 0;
    project.write(files);
    await worker.reload();
    assert.match(project.said[0]!, message);
    assert.equal(project.said.at(-1), 'the code from before this change keeps running');
    assert.equal(await project.get('/version'), 'one!');
    assert.equal(await project.get('/get'), 'kept');
  }
  project.write({ 'wrangler.json': config() });
  await worker.reload();
  assert.equal(await project.get('/version'), 'two!');
});

test('Worker gives the platform that a module expects, and explains what is missing', async (t) => {
  const project = new Project(t, box);
  await project.start();
  assert.equal(await project.get('/same'), 'true');
  await assert.rejects(
    project.get('/absent'),
    /abortIsolate\(\) of cloudflare:workers is not available here; see docs\/reference\/objects.md/,
  );
  await project.get('/background');
  await project.worker!.close();
  assert.match(project.said.join(), /lost/);
  await project.start();
  assert.equal(await project.get('/get'), 'later');
});

test('Worker keeps the objects of a renamed class', async (t) => {
  const project = new Project(t, box);
  const worker = await project.start();
  await project.get('/put');
  const migrations = [
    { tag: 'v1', new_sqlite_classes: ['Box'] },
    { tag: 'v2', renamed_classes: [{ from: 'Box', to: 'Crate' }] },
  ];
  const bindings = [{ name: 'BOXES', class_name: 'Crate' }];
  project.write({
    'wrangler.json': config({ migrations, durable_objects: { bindings } }),
    'index.ts': boxModule('two').replace('class Box', 'class Crate'),
  });
  await worker.reload();
  assert.equal(await project.get('/version'), 'two!');
  assert.equal(await project.get('/get'), 'kept');
});
