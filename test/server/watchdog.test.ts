/** `gatehouse serve` below its watchdog: what the end or a hang of each of the two does, and what it does not. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
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

/** Makes the zone one whose next filter never ends, and adds one. Resolves when the connection ends. */
async function hang(
  ready: ReadyFacts,
  zone: ReadyFacts['zones'][number],
): Promise<{ cut: Promise<boolean> }> {
  const endless = '(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n)';
  const sql = `CREATE TRIGGER IF NOT EXISTS endless AFTER INSERT ON filters WHEN ${endless} > 0 BEGIN SELECT 1; END`;
  const place = `POST /accounts/${ready.account_id}/objects/Zone/${zone.id}/execute`;
  equal((await call(ready, place, { sql, confirm: zone.name })).status, 200);
  const added = call(ready, `POST /zones/${zone.id}/filters`, [{ expression: 'ssl' }]);
  return {
    cut: added.then(
      () => false,
      () => true,
    ),
  };
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

function countLines({ stderr }: Gatehouse, message: string): number {
  return stderr.split(`"message":"${message}"`).length - 1;
}

test('gatehouse serve starts its program again, on the same ports, when it was killed and when it hangs', async (t) => {
  const directory = temporary(t);
  const args = ['--object-host-stuck', '500ms', '--edge-workers', '1', '--object-writes', 'true'];
  const started = await Gatehouse.start(t, { directory, args, environment: watched });
  const { server } = started;
  const ready = started.ready as ReadyFacts & { readonly edge: string };
  const zone = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const path = `/zones/${zone.id}/filters`;
  const listFilters = async (): Promise<string[]> =>
    (await call(ready, `GET ${path}`)).result.map(({ expression }: { expression: string }) => expression);
  equal((await call(ready, `POST ${path}`, [{ expression: 'http.host eq "kept.example"' }])).status, 200);

  process.kill(findProgram(server.process.pid!), 'SIGKILL');
  await server.said(/"message":"ready again"/);
  deepEqual(JSON.parse(readFileSync(join(directory, 'ready.json'), 'utf8')), ready);
  deepEqual(await listFilters(), ['http.host eq "kept.example"']);
  ok(await isListening(ready.edge));
  match(server.stderr, /"a process has ended; starting it again","process":"program",.*ended by SIGKILL/);

  // Signals to the watchdog are for the program.
  server.process.kill('SIGUSR2');
  await server.said(/"message":"reloaded"/);

  const { cut } = await hang(ready, zone);
  equal(await cut, true);
  await eventually(() => countLines(server, 'ready again') === 2);
  match(server.stderr, new RegExp(`did not turn for \\d+ ms \\(object Zone ${zone.id}\\)`));
  deepEqual(await listFilters(), ['http.host eq "kept.example"']);
  equal(server.stdout.split('Gatehouse serves the API').length, 2, 'it greets once');

  // The end of the watchdog is the end of all, and whoever starts next gets what they had.
  const family = listFamily(server.process.pid!);
  equal(family.length >= 2, true, 'a program and its worker');
  await server.end('SIGKILL');
  const ports = ['--port', new URL(ready.api).port, '--edge-port', new URL(ready.edge).port];
  const next = new Gatehouse(t, { directory, args: ['--data', 'data', ...ports], environment: watched });
  await next.said(/"message":"ready"/);
  deepEqual(await listFilters(), ['http.host eq "kept.example"']);
  await eventually(() => !family.some(isAlive));
  equal(await next.end('SIGTERM'), 0);
});

test('npm start: a signal to the process that it runs ends the program, also while it hangs', async (t) => {
  const directory = temporary(t);
  const root = join(import.meta.dirname, '../..');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = join(directory, 'ready.json');
  const data = join(directory, 'data');
  const flags = `--data ${data} --port 0 --edge-port off --object-writes true --ready-file ${file}`;
  const { PATH } = process.env;
  // As npm runs it.
  const server = spawn('sh', ['-c', `${scripts.start} ${flags}`], {
    cwd: root,
    env: { PATH },
    stdio: 'ignore',
  });
  t.after(() => server.kill('SIGKILL'));
  const exited = once(server, 'exit');
  await eventually(() => existsSync(file));
  const ready = JSON.parse(readFileSync(file, 'utf8')) as ReadyFacts;
  const program = findProgram(server.pid!);
  const zone = ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const first = [{ expression: 'http.host eq "first.example"' }];
  equal((await call(ready, `POST /zones/${zone.id}/filters`, first)).status, 200);
  const { cut } = await hang(ready, zone);
  const before = readCpuMs(program);
  await eventually(() => readCpuMs(program) > before + 300);
  server.kill('SIGTERM');
  deepEqual(await exited, [0, null]);
  equal(await cut, true);
  equal(isAlive(program), false);
});
