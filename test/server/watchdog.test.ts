/** Programs below their watchdog: which effects the end or a hang of each of the two has. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { killWith } from '../../src/program/cli/watched/testing.ts';
import { eventually } from '../eventually.ts';
import { Gatehouse, type ReadyFacts, temporary } from './gatehouse.ts';

const title = 'gatehouse: program';
const watched = { GATEHOUSE_WATCHDOG: 'true' };

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly args: string;
}

function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(line))
    .filter((found) => found !== null)
    .map(([, pid, parent, args]) => ({ pid: Number(pid), parent: Number(parent), args: args! }));
}

/** In the form of `ps`. */
function readTitle(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}

function findProgram(watchdog: number): number {
  const found = listProcesses().find(({ parent, args }) => parent === watchdog && args.startsWith(title));
  ok(found !== undefined, 'the program is a child of the process that was started');
  return found.pid;
}

/** The program and its workers. */
function listFamily(watchdog: number): number[] {
  const program = findProgram(watchdog);
  const workers = listProcesses().filter(({ parent }) => parent === program);
  return [program, ...workers.map(({ pid }) => pid)];
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Of the process, with all its threads. */
function readCpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = text.slice(text.lastIndexOf(')')).split(' ').slice(12, 14).map(Number);
  return (user! + system!) * 10;
}

async function call(
  ready: ReadyFacts,
  route: string,
  body?: unknown,
): Promise<{ status: number; result: any }> {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(`${ready.api}${path}`, {
    method,
    // No connection is used twice: one to a program before this one would be reset.
    headers: {
      authorization: `Bearer ${ready.token}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { result } = (await response.json()) as { result: unknown };
  return { status: response.status, result };
}

/** Makes the next filter of the zone run forever. */
async function addEndlessTrigger(ready: ReadyFacts, zone: ReadyFacts['zones'][number]): Promise<void> {
  const endless = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)';
  const sql = `CREATE TRIGGER endless AFTER INSERT ON filters WHEN ${endless} > 0 BEGIN SELECT 1; END`;
  const place = `POST /accounts/${ready.account_id}/objects/Zone/${zone.id}/execute`;
  equal((await call(ready, place, { sql, confirm: zone.name })).status, 200);
}

async function addFilter(ready: ReadyFacts, { id }: ReadyFacts['zones'][number]): Promise<number | 'cut'> {
  return await call(ready, `POST /zones/${id}/filters`, [{ expression: 'ssl' }]).then(
    ({ status }) => status,
    () => 'cut' as const,
  );
}

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  return once(socket, 'connect').then(
    () => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}

test('gatehouse serve starts a program again that was killed or hangs, and a signal ends one that hangs', async (t) => {
  const directory = temporary(t);
  const args = ['--object-host-stuck', '1500ms', '--edge-workers', '1', '--object-writes', 'true'];
  const started = await Gatehouse.start(t, { directory, args, environment: watched });
  const { server } = started;
  const ready = started.ready as ReadyFacts & { readonly edge: string };
  const zone = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const path = `/zones/${zone.id}/filters`;
  const listFilters = async (): Promise<string[]> =>
    (await call(ready, `GET ${path}`)).result.map(({ expression }: { expression: string }) => expression);
  equal((await call(ready, `POST ${path}`, [{ expression: 'http.host eq "kept.example"' }])).status, 200);

  const [program, ...others] = listFamily(server.process.pid!);
  // They serve until the next program takes them over.
  const workers = others.filter((pid) => readTitle(pid).startsWith('gatehouse: edge worker'));
  const killed = [program!, ...others.filter((pid) => !workers.includes(pid))];
  process.kill(program!, 'SIGKILL');
  await eventually(() => !killed.some(isAlive));
  for (const url of [ready.edge, ready.api]) ok(await isListening(url), 'connections wait for the next one');
  await server.said(/"message":"ready again"/);
  deepEqual(JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')), ready);
  deepEqual(await listFilters(), ['http.host eq "kept.example"']);
  match(server.stderr, /"a process has ended; restarting it","process":"program",.*ended by SIGKILL/);

  // Signals to the watchdog are for the program.
  server.process.kill('SIGUSR2');
  await server.said(/"message":"reloaded"/);

  await addEndlessTrigger(ready, zone);
  equal(await addFilter(ready, zone), 'cut');
  await server.said(
    new RegExp(`exceeded its time limit, \\d+ ms so far \\(object Zone \\w{64} \\(${zone.id}\\), statement `),
  );
  await eventually(async () => (await listFilters().catch(() => [])).length === 1, 'the next one serves');
  equal(server.stdout.split('Gatehouse serves the API').length, 2, 'it greets once');

  // When the watchdog ends, all end, and the next start gets their ports and directory.
  const family = listFamily(server.process.pid!);
  // Its worker was started by the program before: `outlive.test.ts` shows that it ends, too.
  equal(family.length >= 1, true, 'a program');
  await server.end('SIGKILL');
  const next = startByNpm(t, {
    data: join(directory, 'data'),
    port: new URL(ready.api).port,
    'edge-port': new URL(ready.edge).port,
    // So long that only the signal can end it.
    'object-statement-stuck': '10m',
    'object-host-stuck': '10m',
  });
  await once(next.process.stdout, 'data');
  deepEqual(await listFilters(), ['http.host eq "kept.example"']);
  await eventually(() => ![...family, ...workers].some(isAlive));

  // A signal to the process that npm runs ends the program while it hangs.
  const last = findProgram(next.process.pid!);
  const before = readCpuMs(last);
  const held = addFilter(ready, zone);
  await eventually(() => readCpuMs(last) > before + 200);
  next.process.kill('SIGTERM');
  deepEqual(await next.exited, [0, null]);
  equal(await held, 'cut');
  equal(isAlive(last), false);
});

test('gatehouse run is started again on the same ports, with what its objects have stored', async (t) => {
  const directory = temporary(t);
  const code = `import { DurableObject } from 'cloudflare:workers';
    export class Counter extends DurableObject {
      async count() {
        const count = ((await this.ctx.storage.get('count')) ?? 0) + 1;
        await this.ctx.storage.put('count', count);
        return count;
      }
    }
    export default { fetch: async (_request, env) => Response.json(await env.Counter.getByName('a').count()) };`;
  writeFileSync(join(directory, 'index.mjs'), code);
  const args = ['index.mjs', '--admin-port', '0'];
  const { server, ready } = await Gatehouse.start(t, {
    command: 'run',
    directory,
    args,
    environment: watched,
  });
  const urls = ready as unknown as { readonly url: string; readonly admin: string };
  const count = async (): Promise<unknown> =>
    await (await fetch(urls.url, { headers: { connection: 'close' } })).json();
  equal(await count(), 1);
  const family = listFamily(server.process.pid!);
  process.kill(family[0]!, 'SIGKILL');
  await eventually(() => !family.some(isAlive));
  // Whether or not the next one has started: connections wait for it.
  equal(await count(), 2);
  await server.said(/"message":"ready again"/);
  deepEqual(JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')), urls);
  equal(await count(), 3);
  ok(await isListening(urls.admin));
  equal(await server.end('SIGTERM'), 0);
});

test('gatehouse edge is started again on the same ports, and refuses connections while it cannot start', async (t) => {
  const directory = temporary(t);
  const config = join(directory, 'gatehouse.toml');
  writeFileSync(config, '');
  const edge = new Gatehouse(t, {
    command: 'edge',
    directory,
    args: ['--control', 'http://127.0.0.1:9', '--edge-port', '0', '--admin-port', '0'],
    environment: { ...watched, GATEHOUSE_CONTROL_TOKEN: 'none' },
  });
  const listening = /"message":"(listening(?: again)?)",("edge":.*)/g;
  await edge.said(/"message":"listening"/);
  const [line] = /\{[^\n]*"listening"[^\n]*/.exec(edge.stderr)!;
  const { edge: url } = JSON.parse(line) as { edge: string };
  // Its watchdog may not have read yet that it is ready.
  edge.process.kill('SIGSTOP');
  const killed = findProgram(edge.process.pid!);
  process.kill(killed, 'SIGKILL');
  edge.process.kill('SIGCONT');
  await eventually(() => !isAlive(killed));
  ok(await isListening(url), 'connections of visitors wait for the next one');
  await edge.said(/"message":"listening again"/);
  const [first, second] = [...edge.stderr.matchAll(listening)].map(([, , urls]) => urls);
  equal(second, first);
  writeFileSync(config, 'no_such_setting = true');
  process.kill(findProgram(edge.process.pid!), 'SIGKILL');
  await eventually(async () => !(await isListening(url)));
  writeFileSync(config, '');
  await eventually(() => isListening(url));
  equal(await edge.end('SIGTERM'), 0);
});

/** As `npm start` runs it. */
function startByNpm(
  t: TestContext,
  flags: Readonly<Record<string, string>>,
): { process: ChildProcessByStdio<null, Readable, null>; exited: Promise<unknown[]> } {
  const root = join(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const args = Object.entries(flags).map(([name, value]) => `--${name} ${value}`);
  const { PATH } = process.env;
  const env = { PATH, GATEHOUSE_EDGE_WORKERS: '0', GATEHOUSE_LOG_LEVEL: 'error' };
  const started = spawn('sh', ['-c', [scripts.start, ...args].join(' ')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  killWith(t, started);
  return { process: started, exited: once(started, 'exit') };
}

test('gatehouse serve that cannot start says why, once, and ends with the exit code of the program', async (t) => {
  const failed = new Gatehouse(t, {
    directory: temporary(t),
    args: ['--port', 'x'],
    environment: watched,
  });
  equal(await failed.exited, 2);
  equal(failed.stderr, 'gatehouse: --port must be a whole number from 0 to 65535: "x"\n');
});
