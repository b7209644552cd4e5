/**
 * Programs written with packages from npm, as they are installed:
 *
 *     npm run projects
 */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test, type TestContext } from 'node:test';
import { VirtualClock } from '../src/foundation/base.ts';
import { serveHttp, useLightFetch, Worker } from '../src/platform/workers.ts';
import { programs, templates, writeTemplate } from './programs.ts';
import { ask, type Question } from './questions.ts';
import { smallPrograms } from './small.ts';

interface Program {
  readonly url: string;
  readonly clock: VirtualClock;
  json(path: string, init?: RequestInit): Promise<unknown>;
}

useLightFetch();

async function start(t: TestContext, folder: string): Promise<Program> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-projects-'));
  const clock = new VirtualClock({ start: Date.UTC(2030, 0, 1) });
  const say = (text: unknown): void => t.diagnostic(String(text));
  const log = { info: say, warn: say, error: (error: unknown) => say((error as Error).stack ?? error) };
  const path = resolve(import.meta.dirname, folder);
  const worker = await Worker.start({ path, directory, log, clock, durability: 'os' });
  const server = await serveHttp({ fetch: (request) => worker.fetch(request), port: 0, onError: log.error });
  t.after(async () => {
    await server.close({ graceMs: 0 });
    await worker.close();
    rmSync(directory, { recursive: true });
  });
  return {
    url: server.url,
    clock,
    json: async (path, init) => await (await fetch(server.url + path, init)).json(),
  };
}

test('agents: state for clients, calls, schedules and SQL', async (t) => {
  const program = await start(t, 'agents');
  // Typed by the package for browsers, whose types are not here.
  const { AgentClient } = (await import(
    import.meta.resolve('agents/client', new URL('package.json', import.meta.url).href)
  )) as { AgentClient: new (options: object) => AgentConnection };
  const { host } = new URL(program.url);
  const open = async (): Promise<{
    client: AgentConnection;
    states: unknown[];
    next(): Promise<unknown>;
  }> => {
    const states: unknown[] = [];
    let wake = (): void => {};
    const onStateUpdate = (state: unknown): void => {
      states.push(state);
      wake();
    };
    const client = new AgentClient({ agent: 'Tally', name: 'a', host, onStateUpdate });
    t.after(() => client.close());
    const next = async (): Promise<unknown> => {
      while (states.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return states.shift();
    };
    return { client, states, next };
  };
  const first = await open();
  deepEqual(await first.next(), { count: 0, last: 'nobody' });
  const second = await open();
  deepEqual(await second.next(), { count: 0, last: 'nobody' });
  equal(await first.client.call('add', [2, 'ann']), 2);
  deepEqual([await first.next(), await second.next()], Array(2).fill({ count: 2, last: 'ann' }));
  second.client.setState({ count: 5, last: 'browser' });
  deepEqual(await first.next(), { count: 5, last: 'browser' });
  deepEqual(await first.client.call('note', ['one']), ['one']);
  deepEqual(await second.client.call('note', ['two']), ['one', 'two']);
  await rejects(first.client.call('fail', []), /as asked/);
  await rejects(first.client.call('secret', []), /not callable|secret/);
  equal(await first.client.call('remind', [60]), 'string');
  second.states.length = 0;
  await program.clock.advance(61_000);
  deepEqual(await first.next(), { count: 5, last: 'rang after 60' });
  deepEqual(await program.json('/agents/tally/a'), { count: 5, last: 'rang after 60' });
});

interface AgentConnection {
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  setState(state: object): void;
  close(): void;
}

test('@cloudflare/actors: stored properties, SQL and alarms', async (t) => {
  const program = await start(t, 'actors');
  deepEqual(await program.json('/?name=a'), { visits: 1, notes: [] });
  deepEqual(await program.json('/note?name=a'), { visits: 2, notes: [{ text: 'noted' }] });
  deepEqual(await program.json('/?name=b'), { visits: 1, notes: [] });
  await program.json('/ring?name=a');
  await program.clock.advance(45_000);
  deepEqual(await program.json('/?name=a'), {
    visits: 4,
    notes: [{ text: 'noted' }, { text: 'rang: later' }],
  });
});

test('itty-durable: methods and stored contents', async (t) => {
  const program = await start(t, 'itty-durable');
  deepEqual(await program.json('/increment'), { counter: 1 });
  equal(await program.json('/add'), 7);
  await program.clock.advance(60_000);
  deepEqual(await program.json('/increment'), { counter: 2 });
});

test('drizzle: migrations in a package as npm init writes it', async (t) => {
  const program = await start(t, 'drizzle');
  deepEqual(await program.json('/add?title=milk'), [{ id: 1, title: 'milk', done: false }]);
  await program.clock.advance(60_000);
  deepEqual(await program.json('/add?title=tea'), [{ id: 2, title: 'tea', done: false }]);
  deepEqual(await program.json('/finish?id=1'), [
    { id: 1, title: 'milk', done: true },
    { id: 2, title: 'tea', done: false },
  ]);
});

test('hono: pages in JSX, JSON, sockets, errors and assets', async (t) => {
  const program = await start(t, 'hono');
  const page = await fetch(`${program.url}/page/you`);
  equal(await page.text(), '<p>hello you</p>');
  const again = await fetch(`${program.url}/page/you`, {
    headers: { 'if-none-match': page.headers.get('etag')! },
  });
  equal(again.status, 304);
  deepEqual(await program.json('/sum', { method: 'POST', body: '[1,2,3]' }), { sum: 6 });
  const failed = await fetch(`${program.url}/fail`);
  deepEqual([failed.status, await failed.text()], [500, 'caught as asked']);
  const style = await fetch(`${program.url}/style.css`);
  match(style.headers.get('content-type')!, /^text\/css/);
  ok((await style.text()).includes('teal'));
  const { WebSocket } = await import('ws');
  const socket = new WebSocket(`${program.url.replace('http', 'ws')}/ws`);
  const heard = Promise.withResolvers<string>();
  socket.on('open', () => socket.send('hi'));
  socket.on('message', (data: Buffer) => heard.resolve(data.toString()));
  equal(await heard.promise, 'echo hi');
  socket.terminate();
});

test('drizzle and kysely on D1, hono with KV, R2 and a queue', async (t) => {
  const program = await start(t, 'bindings');
  deepEqual(await program.json('/drizzle'), {
    ann: {
      id: 1,
      name: 'ann',
      active: true,
      born: '1970-01-01T00:00:01.000Z',
      extra: { a: 1 },
      picture: { type: 'Buffer', data: [1, 2] },
    },
    everybody: [{ name: 'ann' }, { name: 'bob' }],
    renamed: [{ id: 2 }],
    changes: 2,
  });
  deepEqual(await program.json('/kysely'), { insertId: 3, rows: [{ id: 1, name: 'ANN' }] });

  const body = new Uint8Array(1_000_000).map((_, at) => at % 251);
  const file = `${program.url}/files/a`;
  const put = { method: 'PUT', body, headers: { 'content-type': 'image/x' } };
  const { size, httpEtag } = (await program.json('/files/a', put)) as { size: number; httpEtag: string };
  equal(size, body.length);
  const whole = await fetch(file);
  deepEqual([whole.headers.get('content-type'), whole.headers.get('etag')], ['image/x', httpEtag]);
  deepEqual(new Uint8Array(await whole.arrayBuffer()), body);
  const part = await fetch(file, { headers: { range: 'bytes=250-252' } });
  deepEqual([part.status, [...new Uint8Array(await part.arrayBuffer())]], [206, [250, 0, 1]]);
  equal((await fetch(file, { headers: { 'if-none-match': httpEtag } })).status, 304);

  await program.json('/greet', { method: 'POST', body: '["a","b","c"]' });
  await program.clock.advance(5_000);
  const greeted = (name: string, together: number) => ({
    name: `greeted/${name}`,
    metadata: { attempts: 1, together },
  });
  deepEqual(await program.json('/greeted'), [greeted('a', 2), greeted('b', 2), greeted('c', 1)]);
});

for (const [name, questions] of Object.entries(templates)) {
  test(`create-cloudflare: the template ${name}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-template-'));
    t.after(() => rmSync(folder, { recursive: true }));
    writeTemplate(name, folder);
    await askAll(await start(t, folder), questions);
  });
}

for (const name of ['extra-handlers', 'party', 'services', 'tinybase', 'tldraw', 'xstate'])
  test(`${name}: what its folder is asked`, async (t) => {
    const { questions } = programs.find((program) => program.name === name)!;
    await askAll(await start(t, name), questions);
  });

for (const [name, questions] of Object.entries(smallPrograms)) {
  test(`a small program with ${name}`, async (t) => {
    await askAll(await start(t, join('small', `${name}.js`)), questions);
  });
}

async function askAll({ url }: Program, questions: readonly Question[]): Promise<void> {
  for (const question of questions) {
    const { text, status } = await ask(url, question);
    match(text, question.answer, question.path);
    const isTalk = question.say !== undefined || question.sayAnswerOf !== undefined;
    equal(status, question.status ?? (isTalk ? 101 : 200), question.path);
  }
}
