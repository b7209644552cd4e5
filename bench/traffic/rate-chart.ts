/**
 * How accurately rate limits count at the real edge: with one and two workers, and with three hosts that count
 * together, beside `limit_req` of nginx and an exact log. All of them get the same requests at the same time. Prints a
 * table in Markdown.
 *
 *     npm run verify -- limits                  a minute
 *     npm run verify -- limits --seconds 300
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { type AddressInfo, createServer as createSocket } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { permissionGroups } from '../../src/api/contract.ts';
import { Random } from '../../test/faults/random.ts';
import { RunningProgram, visit } from './program.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const seconds = Number(values.seconds);
if (!(seconds >= 20 && seconds <= 3_600)) throw new TypeError('--seconds takes a number from 20 to 3600');

const limit = 100;
const periodMs = 10_000;

interface Arrivals {
  readonly name: string;
  /** `/all` counts every request, `/throttle` those that pass. */
  readonly path: '/all' | '/throttle';
  readonly atMs: readonly number[];
}

const numbers = new Random(29);
const random = (): number => numbers.below(1e9) / 1e9;

function arrive(name: string, path: Arrivals['path'], nextMs: (atMs: number) => number): Arrivals {
  const atMs: number[] = [];
  for (let at = nextMs(0); at < seconds * 1_000; at += nextMs(at)) atMs.push(at);
  return { name, path, atMs };
}

const poisson = (share: number) => (): number => -Math.log(1 - random()) * (periodMs / (share * limit));
const steady = (share: number) => (): number => periodMs / (share * limit);

/** 40 at once, every five seconds or so. */
function burst(): Arrivals {
  const atMs: number[] = [];
  for (let at = 0; at < seconds * 1_000; at += 4_000 + random() * 2_000)
    for (let index = 0; index < 40; index++) atMs.push(at + index);
  return { name: 'bursts of 40', path: '/all', atMs };
}

const scenarios: readonly Arrivals[] = [
  arrive('Poisson at 0.9', '/all', poisson(0.9)),
  arrive('Poisson at 1.1', '/all', poisson(1.1)),
  burst(),
  arrive('throttle at 1.1', '/throttle', steady(1.1)),
  arrive('throttle at 2', '/throttle', steady(2)),
  arrive('throttle at 5', '/throttle', steady(5)),
];

interface System {
  readonly name: string;
  readonly ports: readonly number[];
  readonly host: string;
  /** It can only count what passes. */
  readonly countsPassed?: boolean;
}

interface Seen {
  readonly atMs: number;
  readonly isPassed: boolean;
}

async function measure(system: System, { path, name, atMs }: Arrivals): Promise<Seen[]> {
  const agents = system.ports.map(() => new Agent({ keepAlive: true, maxSockets: 8, scheduling: 'fifo' }));
  const startMs = performance.now();
  const seen: Promise<Seen>[] = [];
  for (const [index, at] of atMs.entries()) {
    const waitMs = at - (performance.now() - startMs);
    if (waitMs > 1) await sleep(waitMs);
    const place = index % system.ports.length;
    const sentMs = performance.now() - startMs;
    const headers = { host: system.host, 'x-key': name };
    const port = system.ports[place]!;
    seen.push(
      visit({ port, path, headers, agent: agents[place]! }).then(({ status }) => {
        if (status !== 200 && status !== 429) throw new Error(`${system.name} answered ${status}`);
        return { atMs: sentMs, isPassed: status === 200 };
      }),
    );
  }
  const all = await Promise.all(seen);
  for (const agent of agents) agent.destroy();
  return all;
}

/** Let through and stopped otherwise than by an exact log, in percent of all requests. */
function compare(seen: readonly Seen[], countsPassed: boolean): string {
  let [through, stopped] = [0, 0];
  const log: number[] = [];
  for (const { atMs, isPassed } of seen) {
    while (log.length > 0 && log[0]! <= atMs - periodMs) log.shift();
    const isOver = log.length + 1 > limit;
    if (!countsPassed || isPassed) log.push(atMs);
    if (isOver && isPassed) through++;
    if (!isOver && !isPassed) stopped++;
  }
  const percent = (count: number): string => ((count * 100) / seen.length).toFixed(1);
  return `${percent(through)} / ${percent(stopped)} %`;
}

/** Passed in ten seconds, and the most in any ten. */
function throughput(passedMs: readonly number[]): string {
  const mean = (passedMs.length * 10) / seconds;
  let most = 0;
  for (let first = 0, last = 0; last < passedMs.length; last++) {
    while (passedMs[first]! <= passedMs[last]! - periodMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return `${mean.toFixed(0)} (${most})`;
}

function judgeExactly(atMs: readonly number[]): number[] {
  const log: number[] = [];
  const passed: number[] = [];
  for (const at of atMs) {
    while (log.length > 0 && log[0]! <= at - periodMs) log.shift();
    if (log.length >= limit) continue;
    log.push(at);
    passed.push(at);
  }
  return passed;
}

function listRules(isOfAllHosts: boolean): object[] {
  const characteristics = [...(isOfAllHosts ? [] : ['cf.colo.id']), 'http.request.headers["x-key"]'];
  const ratelimit = { characteristics, period: 10, requests_per_period: limit, mitigation_timeout: 0 };
  return ['/all', '/throttle'].map((path) => {
    const expression = `http.request.uri.path eq "${path}"`;
    const counting = path === '/all' ? { counting_expression: expression } : {};
    return { action: 'block', expression, ratelimit: { ...ratelimit, ...counting } };
  });
}

async function prepare(program: RunningProgram, originUrl: string, isOfAllHosts = false): Promise<void> {
  await program.call(`PUT /zones/${program.zone.id}/edge`, { origin: { url: originUrl }, protect: false });
  await program.putRules('http_ratelimit', listRules(isOfAllHosts));
}

/** The rules are in force at an edge when they stop a client. */
async function awaitRules(ports: readonly number[], host: string): Promise<void> {
  for (const [index, port] of ports.entries()) {
    for (;;) {
      const headers = { host, 'x-key': `ready ${index}` };
      if ((await visit({ port, path: '/all', headers, agent: false })).status === 429) break;
    }
  }
}

async function startNginx(
  directory: string,
  originUrl: string,
): Promise<(System & AsyncDisposable) | undefined> {
  if (!existsSync('/usr/sbin/nginx')) return undefined;
  mkdirSync(directory, { recursive: true });
  const socket = createSocket();
  await once(socket.listen(0, '127.0.0.1'), 'listening');
  const { port } = socket.address() as AddressInfo;
  await new Promise((resolve) => socket.close(resolve));
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${directory}/nginx.pid; error_log /dev/null;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy; fastcgi_temp_path ${directory}/f;
  uwsgi_temp_path ${directory}/u; scgi_temp_path ${directory}/s;
  limit_req_zone $http_x_key zone=keys:10m rate=${(limit * 1_000) / periodMs}r/s;
  server {
    listen 127.0.0.1:${port};
    location / { limit_req zone=keys burst=${limit - 1} nodelay; limit_req_status 429; proxy_pass ${originUrl}; }
  }
}
`,
  );
  const child = spawn('/usr/sbin/nginx', ['-p', directory, '-c', join(directory, 'nginx.conf')], {
    stdio: 'ignore',
  });
  const isUp = async (): Promise<boolean> =>
    visit({ port, path: '/', headers: { 'x-key': 'up' }, agent: false }).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await sleep(20);
  return {
    name: 'nginx limit_req',
    ports: [port],
    host: 'limited.example',
    countsPassed: true,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Edges on other machines are the same program; here all are on this one. */
async function startHosts(
  opened: AsyncDisposableStack,
  directory: string,
  originUrl: string,
): Promise<System> {
  const control = opened.use(
    await RunningProgram.start('serve', join(directory, 'control'), { args: ['--edge-port', 'off'] }),
  );
  const { account_id, api } = control.facts;
  const { value: token } = await control.call('POST /user/tokens', {
    name: 'edges',
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: permissionGroups.accountEdgeWrite.id }],
        resources: { [`com.cloudflare.api.account.${account_id}`]: '*' },
      },
    ],
  });
  await prepare(control, originUrl, true);
  const ports: number[] = [];
  for (const name of ['a', 'b', 'c']) {
    const edge = await RunningProgram.start('edge', join(directory, name), {
      args: ['--control', api, '--admin-port', 'off'],
      environment: { GATEHOUSE_CONTROL_TOKEN: token },
    });
    opened.use(edge);
    ports.push(edge.edgePort);
  }
  return { name: 'edge, three hosts together', ports, host: control.zone.name };
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-rate-chart-'));
const opened = new AsyncDisposableStack();
try {
  const origin = createServer((_request, response) => response.end('here'));
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  opened.defer(() => void origin.close());
  const originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const systems: System[] = [];
  for (const workers of [1, 2]) {
    const program = await RunningProgram.start('serve', join(directory, `workers-${workers}`), {
      args: ['--edge-workers', String(workers)],
    });
    opened.use(program);
    await prepare(program, originUrl);
    const name = `edge, ${workers === 1 ? 'one worker' : 'two workers'}`;
    systems.push({ name, ports: [program.edgePort], host: program.zone.name });
  }
  systems.push(await startHosts(opened, join(directory, 'hosts'), originUrl));
  for (const { ports, host } of systems) await awaitRules(ports, host);
  const nginx = await startNginx(join(directory, 'nginx'), originUrl);
  if (nginx !== undefined) systems.push(opened.use(nginx));
  console.error(`${systems.length} systems, ${scenarios.length} visitors each, ${seconds} s …`);
  const seen = await Promise.all(
    systems.map((system) => Promise.all(scenarios.map((arrivals) => measure(system, arrivals)))),
  );
  const cells = (system: System, runs: readonly Seen[][]): string[] =>
    scenarios.map(({ path }, index) => {
      const passed = runs[index]!.filter(({ isPassed }) => isPassed).map(({ atMs }) => atMs);
      return path === '/all' ? compare(runs[index]!, system.countsPassed === true) : throughput(passed);
    });
  const exact = scenarios.map(({ path, atMs }) => (path === '/all' ? '0' : throughput(judgeExactly(atMs))));
  const rows = [
    ['', ...scenarios.map(({ name }) => name)],
    ['---', ...scenarios.map(() => '---:')],
    ...systems.map((system, index) => [system.name, ...cells(system, seen[index]!)]),
    ['exact log', ...exact],
  ];
  console.log(`Limit ${limit} in ${periodMs / 1_000} s, ${seconds} s, load ${loadavg()[0]!.toFixed(1)}.\n`);
  for (const row of rows) console.log(`| ${row.join(' | ')} |`);
} finally {
  await opened.disposeAsync();
  rmSync(directory, { recursive: true, force: true });
}
