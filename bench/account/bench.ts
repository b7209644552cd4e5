/**
 * The cost of an account with many zones: processor time of the server for each write to the account, and its start.
 * The server is `gatehouse serve` with its edge, and work that it does in the background after a write counts. Prints a
 * table in Markdown.
 *
 *     node bench/account/bench.ts [--small] [--zones 10,1000,10000] [--keep <directory>]
 *
 * Making many zones takes minutes; `--keep` keeps the data directories there for the next run.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { stopped } from '../../conformance/child.ts';
import { type ProcessUsage, readUsage, readUsageAtRest } from './process-usage.ts';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    zones: { type: 'string' },
    keep: { type: 'string' },
  },
});
const sizes = (options.zones ?? (options.small ? '10,100' : '10,1000,10000')).split(',').map(Number);
const root = join(import.meta.dirname, '..', '..');

/** The account may have ten lists. */
const writesOfEachKind = 10;

/** Requests to zones that were not loaded before. */
const firstRequests = Math.min(50, ...sizes);

interface Owner {
  readonly token: string;
  readonly account: string;
}

interface Server {
  readonly child: ChildProcess;
  readonly api: string;
  readonly edge: string;
  readonly startCpuMs: number;
}

/** Measured values by the name of the row. */
type Column = Map<string, number>;

async function makeZones(directory: string, zones: number): Promise<Owner> {
  const script = join(import.meta.dirname, 'make-zones.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, directory, String(zones)]);
  return JSON.parse(stdout) as Owner;
}

/** A copy of the kept data directory with that many zones, which is created if it does not exist. */
async function copyZones(keep: string, directory: string, zones: number): Promise<Owner> {
  const kept = join(keep, String(zones));
  const ownerFile = `${kept}.json`;
  if (!existsSync(ownerFile)) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(ownerFile, JSON.stringify(await makeZones(kept, zones)));
  }
  cpSync(kept, directory, { recursive: true });
  return JSON.parse(readFileSync(ownerFile, 'utf8')) as Owner;
}

async function startServer(directory: string): Promise<Server> {
  const readyFile = join(directory, '..', `ready-${process.hrtime.bigint()}.json`);
  const args = ['--data', directory, '--port', '0', '--edge-port', '0', '--ready-file', readyFile];
  const main = join(root, 'src', 'program', 'cli', 'main.ts');
  // Without the watchdog, the process that is started is the one that is measured.
  const settings = ['--rate-limit', 'false', '--watchdog', 'false'];
  const child = spawn(process.execPath, [main, 'serve', ...args, ...settings], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('gatehouse serve did not start');
    await sleep(5);
  }
  const { cpuMs: startCpuMs } = readUsage(child.pid!);
  const { api, edge } = JSON.parse(readFileSync(readyFile, 'utf8')) as { api: string; edge: string };
  return { child, api, edge, startCpuMs };
}

async function ask(
  server: Server,
  owner: Owner,
  route: string,
  body: unknown,
): Promise<{ readonly id: string }> {
  const [method, path] = route.split(' ') as [string, string];
  const response = await fetch(server.api + path, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const { result, errors } = (await response.json()) as { result: { id: string }; errors: unknown };
  if (!response.ok) throw new Error(`${route}: ${JSON.stringify(errors)}`);
  return result;
}

/** Writes to the account, and the result of each. */
function writesOf(
  server: Server,
  owner: Owner,
): Readonly<Record<string, (index: number) => Promise<unknown>>> {
  const account = `/accounts/${owner.account}`;
  const lists: string[] = [];
  const made: string[] = [];
  const say = (route: string, body?: unknown): Promise<{ readonly id: string }> =>
    ask(server, owner, route, body);
  const token = (index: number): object => ({
    name: `token ${index}`,
    policies: [
      {
        effect: 'allow',
        permission_groups: [{ id: 'c8fed203ed3043cba015a93ad1616f1f' }],
        resources: { 'com.cloudflare.api.account.zone.*': '*' },
      },
    ],
  });
  return {
    'create a list': async (index) =>
      lists.push((await say(`POST ${account}/rules/lists`, { name: `list_${index}`, kind: 'ip' })).id),
    'describe a list': (index) => say(`PUT ${account}/rules/lists/${lists[index]}`, { description: 'x' }),
    'append to a list': (index) =>
      say(`POST ${account}/rules/lists/${lists[index]}/items`, [{ ip: `192.0.2.${index}` }]),
    'delete a list': (index) => say(`DELETE ${account}/rules/lists/${lists[index]}`),
    'create a token': async (index) => made.push((await say('POST /user/tokens', token(index))).id),
    'delete a token': (index) => say(`DELETE /user/tokens/${made[index]}`),
    'put a custom ruleset': (index) =>
      say(`POST ${account}/rulesets`, {
        name: `ruleset ${index}`,
        kind: 'custom',
        phase: 'http_request_firewall_custom',
        rules: [{ action: 'block', expression: 'http.request.uri.path eq "/no"' }],
      }),
    'create a zone': (index) =>
      say('POST /zones', { name: `more-${index}.example`, account: { id: owner.account } }),
  };
}

async function measureWrites(server: Server, owner: Owner): Promise<Column> {
  const pid = server.child.pid!;
  const column: Column = new Map();
  for (const [name, write] of Object.entries(writesOf(server, owner))) {
    const costs: number[] = [];
    for (let index = 0; index < writesOfEachKind; index++) {
      const { cpuMs: before } = await readUsageAtRest(pid);
      await write(index);
      costs.push((await readUsageAtRest(pid)).cpuMs - before);
    }
    column.set(`${name}, CPU ms`, costs.sort((a, b) => a - b)[writesOfEachKind / 2]!);
  }
  return column;
}

/** A rule blocks each request, so none needs an origin. */
async function measureFirstRequests(server: Server): Promise<number> {
  const pid = server.child.pid!;
  const { cpuMs: before } = await readUsageAtRest(pid);
  for (let index = 0; index < firstRequests; index++) {
    const { stdout } = await promisify(execFile)('curl', [
      ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '-H', `Host: zone-${index}.example`],
      `${server.edge}/admin-${index}`,
    ]);
    if (stdout !== '403') throw new Error(`a request was answered ${stdout}, although a rule blocks it`);
  }
  const { cpuMs: after } = await readUsageAtRest(pid);
  return (after - before) / firstRequests;
}

async function measure(directory: string, zones: number): Promise<Column> {
  const data = join(directory, `data-${zones}`);
  const { keep } = options;
  const owner = await (keep === undefined ? makeZones(data, zones) : copyZones(keep, data, zones));
  const server = await startServer(data);
  try {
    const started: ProcessUsage = await readUsageAtRest(server.child.pid!);
    const column = new Map([
      ['start, CPU ms until ready', server.startCpuMs],
      ['start, CPU ms until at rest', started.cpuMs],
      ['resident memory after the start, MB', started.residentMb],
      ['file descriptors after the start', started.descriptors],
      ...(await measureWrites(server, owner)),
      ['first request to a zone, CPU ms', await measureFirstRequests(server)],
    ]);
    const ended = readUsage(server.child.pid!);
    column.set('resident memory at the end, MB', ended.residentMb);
    column.set('file descriptors at the end', ended.descriptors);
    return column;
  } finally {
    await stopped(server.child, 'SIGTERM');
    rmSync(data, { recursive: true, force: true });
  }
}

/** Of the largest account; a write has to stay below `writeCpuMsMax`. */
const targets: Readonly<Record<string, number>> = {
  'start, CPU ms until at rest': 2_000,
  'resident memory after the start, MB': 500,
};
const writeCpuMsMax = 5;

function formatRow(name: string, values: readonly number[]): string {
  const last = values.at(-1)!;
  const isWrite = name.endsWith(', CPU ms') && !name.startsWith('first');
  const max = targets[name] ?? (isWrite ? writeCpuMsMax : undefined);
  const target = max === undefined ? '' : `< ${max.toLocaleString('en')} ${last < max ? '✓' : '✗'}`;
  return `| ${[name, ...values.map((value) => value.toFixed(1)), target].join(' | ')} |`;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-account-'));
try {
  const columns: Column[] = [];
  for (const zones of sizes) columns.push(await measure(directory, zones));
  const heads = sizes.map((zones) => `${zones.toLocaleString('en')} zones`);
  console.log(`| measured | ${heads.join(' | ')} | target |`);
  console.log(`|---|${sizes.map(() => '---:|').join('')}---|`);
  for (const name of columns[0]!.keys())
    console.log(
      formatRow(
        name,
        columns.map((column) => column.get(name)!),
      ),
    );
} finally {
  rmSync(directory, { recursive: true, force: true });
}
