/** The output of `gatehouse dev`, debugging it, and moving its clock. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, Gatehouse, runCaptured, temporary } from '../testing.ts';

const failing = {
  'index.ts': `import { DurableObject } from 'cloudflare:workers';
import { helper } from './helper';
interface Env { Room: any }

export class Room extends DurableObject<Env> {
  async fail(): Promise<void> { helper('in an object'); }
  async both(): Promise<void> { const failed = this.fail(); this.ctx.waitUntil(failed); await failed; }
  async alarm(): Promise<void> { helper('in an alarm'); }
  async ring(): Promise<void> { await this.ctx.storage.setAlarm(Date.now()); }
}
  export default {
  async fetch(request: Request, env: Env, ctx: any): Promise<Response> {
    const room = env.Room.getByName('a');
    const { pathname } = new URL(request.url);
    if (pathname === '/object') await room.fail();
    if (pathname === '/both') { const failed = room.both(); ctx.waitUntil(failed); await failed; }
    if (pathname === '/ring') await room.ring();
    if (pathname === '/timer') setTimeout(() => helper('in a timer'), 1);
    if (pathname === '/hang') { console.error('hanging'); await new Promise(() => {}); }
    if (pathname === '/nothing') return undefined as any;
    return new Response('fine');
  },
};`,
  'helper.ts': `export type Where = string;

export function helper(where: Where): never {
  throw new Error('broke ' + where);
}`,
};

/** The output for one request, up to and including the line about it. */
async function says(dev: Gatehouse, url: string, path: string): Promise<string> {
  await call(url + path);
  const [said] = await dev.says(new RegExp(`[^]*GET ${path} .*\n`));
  return said;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

test('gatehouse dev prints one line per request', async (t) => {
  const directory = temporary(t, failing);
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'index.ts'), '--no-watch');
  const url = await dev.url();
  await call(`${url}/a%0a?b=1`);
  await dev.says(/^GET \/a%0a\?b=1 200 [\d.]+ ms\n/m);
  await call(url, 'DELETE');
  await dev.says(/^DELETE \/ 200 [\d.]+ ms\n/m);
  const gone = request(`${url}/hang`).end();
  gone.on('error', () => {});
  await dev.says(/hanging\n/);
  gone.destroy();
  await dev.says(/^GET \/hang client left [\d.]+ ms\n/m);
});

test('gatehouse dev --quiet prints no requests, and --json prints lines of JSON', async (t) => {
  const module = join(temporary(t, failing), 'index.ts');
  const quiet = new Gatehouse(
    t,
    'dev',
    '--dashboard-port',
    'off',
    module,
    '--no-watch',
    '--quiet',
    '--persist-to',
    temporary(t),
  );
  const url = await quiet.url();
  await call(url);
  await call(`${url}/object`);
  const [said] = await quiet.says(/[^]*in an object/);
  assert.doesNotMatch(said, /GET/);

  const json = new Gatehouse(
    t,
    'dev',
    '--dashboard-port',
    'off',
    module,
    '--no-watch',
    '--json',
    '--persist-to',
    temporary(t),
  );
  const second = (await json.says(/ready on (http:[^"]+)"/))[1]!;
  await call(`${second}/object?x`);
  const [lines] = await json.says(/\n\{.*"message":"request".*\n/);
  assert.deepEqual((({ method, target, status }) => [method, target, status])(JSON.parse(lines)), [
    'GET',
    '/object?x',
    500,
  ]);
});

test('gatehouse dev names the files of the Worker, and prints each error once', async (t) => {
  const directory = temporary(t, failing);
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'index.ts'), '--no-watch');
  const url = await dev.url();
  assert.equal(
    await says(dev, url, '/object').then((said) => said.replace(/GET .*\n/, '')),
    `error: Error: broke in an object
    at helper (${directory}/helper.ts:4:9)
    at Room.fail (${directory}/index.ts:6:33)
`,
  );
  // It occurs in the answer of the object, in its waitUntil and in that of the Worker.
  assert.equal(count(await says(dev, url, '/both'), 'broke in an object'), 1);
  assert.equal(
    await says(dev, url, '/nothing').then((said) => said.replace(/GET .*\n/, '')),
    'error: TypeError: the fetch handler must answer with a Response: undefined\n',
  );
  await call(`${url}/ring`);
  const [alarm] = await dev.says(
    /error: an alarm handler failed: Error: broke in an alarm\n(?: {4}at .*\n)+/,
  );
  assert.doesNotMatch(alarm, /alarm-handler|gatehouse=|node:/);
  // An error in a timer of the Worker does not end the process.
  await call(`${url}/timer`);
  await dev.says(/error: Error: broke in a timer\n {4}at helper/);
  assert.equal(await call(url), 'fine');
  // The client sees the same frames.
  assert.match(
    await call(`${url}/object`),
    /^Error: broke in an object\n {4}at helper \(.*helper\.ts:4:9\)\n.*\n$/,
  );
});

test('gatehouse dev follows the source map of a compiled module', async (t) => {
  const map = {
    version: 3,
    sources: ['original.ts'],
    names: [],
    // Line 2 of the compiled file is line 8 of the original.
    mappings: ';AAOA',
  };
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64');
  const directory = temporary(t, {
    'worker.js': `export default { fetch() {
throw new Error('mapped'); } };
//# sourceMappingURL=data:application/json;base64,${encoded}`,
  });
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'worker.js'), '--no-watch');
  assert.match(await call(await dev.url()), /Error: mapped\n {4}at .*original\.ts:8:\d+/);
});

test('gatehouse dev says once that new code cannot be loaded, also when its own output is beside the code', async (t) => {
  const directory = temporary(t, failing);
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'index.ts'));
  const url = await dev.url();
  writeFileSync(join(directory, 'helper.ts'), 'export const x = {');
  await dev.says(/helper\.ts:1:19: .*\n.*\nthe code from before this change keeps running\n/);
  // A change that does not help is tried, and fails for the same reason: a request follows it in the output.
  writeFileSync(join(directory, 'dev.log'), 'a line');
  writeFileSync(join(directory, 'helper.ts'), failing['helper.ts']);
  const [said] = await dev.says(/[^]*reloaded\n/);
  assert.equal(said, 'reloaded\n');
  assert.equal(await call(url), 'fine');
});

test('gatehouse dev --inspect lets a debugger look into the process that runs the Worker', async (t) => {
  const directory = temporary(t, failing);
  const dev = new Gatehouse(
    t,
    'dev',
    '--dashboard-port',
    'off',
    join(directory, 'index.ts'),
    '--no-watch',
    '--inspect=0',
  );
  const [, address] = await dev.says(/Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/\S+)/);
  await dev.url();
  const socket = new WebSocket(address!);
  await once(socket, 'open');
  socket.send(JSON.stringify({ id: 1, method: 'Debugger.enable' }));
  const { promise: seen, resolve } = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    const { method, params } = JSON.parse(String(data));
    if (method !== 'Debugger.scriptParsed' || !params.url.includes(`${directory}/.gatehouse/worker.js`))
      return;
    // A debugger finds the files of the project through the source map.
    const map = Buffer.from(params.sourceMapURL.split(',')[1], 'base64').toString();
    if (JSON.parse(map).sources.includes('../helper.ts')) resolve();
  });
  await seen;
  socket.close();
});

const reminder = {
  'index.ts': `import { DurableObject } from 'cloudflare:workers';
export class Reminder extends DurableObject {
  async remind(at: number): Promise<void> { await this.ctx.storage.setAlarm(at); }
  async alarm(): Promise<void> {
    const rang = ((await this.ctx.storage.get<string[]>('rang')) ?? []);
    await this.ctx.storage.put('rang', [...rang, new Date().toISOString()]);
    if (rang.length < 2) await this.ctx.storage.setAlarm(Date.now() + 86_400_000);
  }
  async rang(): Promise<unknown> { return (await this.ctx.storage.get('rang')) ?? []; }
}
  export default {
  async fetch(request: Request, env: any): Promise<Response> {
    const reminder = env.Reminder.getByName('a');
    const { pathname } = new URL(request.url);
    if (pathname === '/remind') await reminder.remind(Date.now() + 3_600_000);
    if (pathname === '/now') await reminder.remind(Date.now());
    return Response.json(await reminder.rang());
  },
};`,
};

test('gatehouse clock moves the time of gatehouse dev --clock virtual, and alarms run on the way', async (t) => {
  const directory = temporary(t, reminder);
  const readyFile = join(directory, 'ready.json');
  const clock = (...args: string[]) => runCaptured('clock', ...args, '--ready-file', readyFile);
  const args = [
    '--clock',
    'virtual',
    '--at',
    '2030-01-01T00:00:00Z',
    '--ready-file',
    readyFile,
    '--no-watch',
  ];
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'index.ts'), ...args);
  const url = await dev.url();
  await dev.says(/it is 2030-01-01T00:00:00\.000Z; gatehouse clock advance 1h --url http/);
  assert.equal((await clock('show')).stdout, '2030-01-01T00:00:00.000Z\n');
  assert.deepEqual(await call(`${url}/remind`), []);
  assert.equal((await clock('advance', '59m59s')).stdout, '2030-01-01T00:59:59.000Z\n');
  assert.deepEqual(await call(url), []);
  await clock('advance', '1s');
  assert.deepEqual(await call(url), ['2030-01-01T01:00:00.000Z']);
  assert.equal((await clock('next')).stdout, '2030-01-02T01:00:00.000Z\n');
  assert.equal((await clock('set', '2030-02-01')).stdout, '2030-02-01T00:00:00.000Z\n');
  assert.deepEqual(await call(url), [
    '2030-01-01T01:00:00.000Z',
    '2030-01-02T01:00:00.000Z',
    '2030-01-03T01:00:00.000Z',
  ]);
  assert.equal((await clock('next')).stdout, '2030-02-01T00:00:00.000Z\nno alarm is set\n');
  // Work that is due now runs without moving the clock.
  await call(`${url}/now`);
  for (let rang = []; rang.length < 4;) rang = await call(url);

  const refused = await clock('set', '2029-01-01');
  assert.deepEqual([refused.code, refused.stderr.includes('time cannot go back')], [1, true]);
  const page = (headers: Record<string, string>) =>
    fetch(`${url}/cdn-cgi/gatehouse/clock`, { method: 'POST', headers, body: '{"advance_ms": 1}' });
  assert.equal((await page({ 'content-type': 'text/plain' })).status, 415);
  const { port } = new URL(url);
  const rebound = request({
    port,
    path: '/cdn-cgi/gatehouse/clock',
    headers: { host: 'evil.example' },
  }).end();
  const [response] = await once(rebound, 'response');
  response.resume();
  assert.equal(response.statusCode, 403);
  assert.equal(await dev.end('SIGTERM'), 0);
});

test('gatehouse clock and --clock say what is wrong', async (t) => {
  const directory = temporary(t, reminder);
  const dev = new Gatehouse(t, 'dev', '--dashboard-port', 'off', join(directory, 'index.ts'), '--no-watch');
  const url = await dev.url();
  const cases: [args: string[], code: number, message: RegExp][] = [
    [['clock', 'show', '--url', url], 1, /has no virtual clock: start it with gatehouse dev --clock virtual/],
    [['clock', 'show', '--url', 'http://127.0.0.1:1'], 1, /no answer from 127\.0\.0\.1:1: /],
    [['clock', 'show', '--ready-file', join(directory, 'none')], 1, /cannot read the ready file/],
    [['clock', 'advance', 'soon'], 2, /<time> must be a length of time such as 90s, 15m, 1h30m or 7d: soon/],
    [['clock', 'set', 'noon'], 2, /<time> must be a time such as 2030-01-31T12:00:00Z: noon/],
    [['clock', 'show', '--url', 'here'], 2, /--url must be a URL/],
    [['dev', directory, '--at', '2030-01-01'], 2, /--at needs --clock virtual/],
    [['dev', directory, '--clock', 'virtual', '--host', '0.0.0.0'], 2, /needs a loopback --host/],
    [['dev', directory, '--inspect=x'], 2, /--inspect must be a whole number from 0 to 65535: x/],
  ];
  for (const [args, code, message] of cases) {
    const outcome = await runCaptured(...args);
    assert.equal(outcome.code, code, args.join(' '));
    assert.match(outcome.stderr, message);
  }
});
