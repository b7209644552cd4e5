/**
 * Everything on for a long time: redirects, rewrites, rate limits, pools, custom errors and managed rules under
 * visitors, attackers and keys that never repeat, with Logpush jobs, a list that fills itself and notifications, whose
 * server is unavailable for a third of the time. Memory and disk must stay within bounds, every response must be
 * correct, and every record must arrive.
 *
 *     npm run verify -- soak                              an hour
 *     npm run verify -- soak --minutes 10 --rate 100   shorter, with so many requests in a second
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Agent } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../../test/faults/random.ts';
import { EchoOrigin } from './echo-origin.ts';
import { Receiver } from './receiver.ts';
import { RunningProgram, visit, type Visited } from './program.ts';
import { showSite } from './show-site.ts';
import { listPools, listRulesets, poolNames } from './site.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string', default: '200' } },
});
const [minutes, rate] = [Number(values.minutes), Number(values.rate)];
if (!(minutes > 0 && rate > 0)) throw new TypeError('--minutes and --rate take numbers');

/** The allowed growth after the first quarter, when everything is loaded, in megabytes. */
const memoryGrowthMax = 150;
/** Of events that are kept, for each request that rules act on; and for what is written anyway. */
const diskBytesPerEvent = 3_000;
const diskMegabytesMax = 100;

const failures: string[] = [];
const counts = { requests: 0, passed: 0, redirected: 0, blocked: 0, limited: 0, replaced: 0, events: 0 };

function measureDisk(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) {
      const { size } = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }) ?? { size: 0 };
      bytes += size;
    }
  return bytes / 1e6;
}

interface Kind {
  readonly share: number;
  readonly path: (random: Random) => string;
  readonly name?: string;
  readonly check: (answer: Visited) => boolean;
  readonly headers?: (random: Random) => Readonly<Record<string, string>>;
}

/** Something that changes with every request. */
const some = (random: Random): string => random.below(1e9).toString(36);

const kinds: readonly Kind[] = [
  {
    share: 40,
    path: (random) => `/page/${some(random)}`,
    check: ({ status }) => note('passed', status === 200),
  },
  { share: 10, path: () => '/old/3', check: ({ status }) => note('redirected', status === 302) },
  { share: 10, path: () => '/pretty', check: ({ body }) => note('passed', body.includes('page=pretty')) },
  { share: 10, path: () => '/404', check: ({ body }) => note('replaced', body === '<h1>Not here</h1>') },
  {
    share: 10,
    path: (random) => `/search?q=${encodeURIComponent(`' or 1=1 union select ${some(random)} --`)}`,
    check: ({ status }) => note('blocked', status === 403),
  },
  // Keys that never come again.
  {
    share: 10,
    path: () => '/limited/1',
    headers: (random) => ({ 'x-visitor': some(random) }),
    check: ({ status }) => note('passed', status === 200),
  },
  // One that always does.
  {
    share: 5,
    path: () => '/limited/0',
    check: ({ status }) => note(status === 429 ? 'limited' : 'passed', true),
  },
  {
    share: 5,
    path: () => '/balanced',
    name: poolNames[0],
    check: ({ status }) => note('passed', status === 200),
  },
];

function note(what: keyof typeof counts, isRight: boolean): boolean {
  if (isRight) counts[what]++;
  return isRight;
}

async function configure(program: RunningProgram, ports: readonly number[]): Promise<void> {
  const zone = `/zones/${program.zone.id}`;
  await program.call(`PUT ${zone}/edge`, { origin: { url: `http://127.0.0.1:${ports[0]}` } });
  for (const [phase, rules] of listRulesets()) await program.putRules(phase, rules);
  const account = `/accounts/${program.facts.account_id}/load_balancers`;
  const monitor = await program.call(`POST ${account}/monitors`, {
    path: '/',
    expected_codes: '2xx',
    interval: 10,
    timeout: 2,
    retries: 0,
  });
  for (const { name, origins } of listPools(ports)) {
    const pool = await program.call(`POST ${account}/pools`, { name, origins, monitor: monitor.id });
    await program.call(`POST ${zone}/load_balancers`, {
      name: `${name}.${program.zone.name}`,
      default_pools: [pool.id],
      fallback_pool: pool.id,
      session_affinity: 'cookie',
    });
  }
}

const datasets: Readonly<Record<string, readonly string[]>> = {
  firewall_events: ['RayID', 'Action', 'Datetime'],
  http_requests: ['RayID', 'ClientRequestURI', 'EdgeResponseStatus'],
};

/** Connections to other servers: a job for each dataset, an external list, a notification for a burst of attacks. */
async function configureOthers(program: RunningProgram, receiver: Receiver): Promise<void> {
  const account = `/accounts/${program.facts.account_id}`;
  for (const [dataset, names] of Object.entries(datasets))
    await program.call(`POST /zones/${program.zone.id}/logpush/jobs`, {
      dataset,
      enabled: true,
      destination_conf: `${receiver.url}/${dataset}`,
      output_options: { field_names: names },
    });
  const list = await program.call(`POST ${account}/rules/lists`, { name: 'bad', kind: 'ip' });
  await program.call(`PUT ${account}/rules/lists/${list.id}/source`, {
    kind: 'url',
    url: `${receiver.url}/list`,
    interval_seconds: 60,
  });
  const webhook = await program.call(`POST ${account}/alerting/v3/destinations/webhooks`, {
    name: 'chat',
    url: `${receiver.url}/alerts`,
  });
  await program.call(`POST ${account}/alerting/v3/policies`, {
    name: 'attacks',
    alert_type: 'clickhouse_alert_fw_anomaly',
    enabled: true,
    mechanisms: { webhooks: [{ id: webhook.id }] },
  });
}

async function sendAll(program: RunningProgram, endMs: number): Promise<void> {
  const random = new Random(29);
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const running = new Set<Promise<void>>();
  const startMs = Date.now();
  for (let sent = 0; Date.now() < endMs; sent++) {
    const dueMs = startMs + (sent * 1_000) / rate;
    if (dueMs > Date.now() + 1) await sleep(dueMs - Date.now());
    // Requests that the machine cannot send in time are dropped instead of being sent at once later.
    if (running.size >= 256) await Promise.race(running);
    const kind = draw(random);
    const path = kind.path(random);
    const host = kind.name === undefined ? program.zone.name : `${kind.name}.${program.zone.name}`;
    const headers = { host, 'user-agent': 'soak', ...kind.headers?.(random) };
    const work = visit({ port: program.edgePort, path, headers, agent })
      .then((answer) => {
        counts.requests++;
        if (!kind.check(answer)) failures.push(`${path} answered ${answer.status}`);
      })
      .catch((error: unknown) => void failures.push(`${path}: ${(error as Error).message}`))
      .finally(() => void running.delete(work));
    running.add(work);
  }
  await Promise.all(running);
  agent.destroy();
}

function draw(random: Random): Kind {
  let left = random.below(kinds.reduce((sum, { share }) => sum + share, 0));
  return kinds.find(({ share }) => (left -= share) < 0) ?? kinds[0]!;
}

/** Every expected event exists: for each request that was blocked or limited. */
async function countEvents(program: RunningProgram): Promise<number> {
  const summary = `/zones/${program.zone.id}/security/events/summary?since=${Math.ceil(minutes) + 10}m`;
  const { total } = await program.call(`GET ${summary}`);
  return total as number;
}

/** Every request and every event arrives, however long the receiver was away: it is asked again after a minute at the latest. */
async function waitForRecords(receiver: Receiver, acted: number): Promise<void> {
  const wanted = { http_requests: counts.requests, firewall_events: acted };
  const missing = (): string[] =>
    Object.entries(wanted)
      .filter(([dataset, count]) => (receiver.records.get(`/${dataset}`) ?? 0) < count)
      .map(
        ([dataset, count]) => `${receiver.records.get(`/${dataset}`) ?? 0} of ${count} ${dataset} arrived`,
      );
  for (let seconds = 0; seconds < 120 && missing().length > 0; seconds++) await sleep(1_000);
  failures.push(...missing());
  if (receiver.refused === 0) failures.push('nothing was sent while the receiver was away');
  if (receiver.dropped > 0) failures.push(`${receiver.dropped} records were dropped`);
  if (receiver.alerts.length === 0) failures.push('nobody was told of the attacks');
  console.log(JSON.stringify({ ...Object.fromEntries(receiver.records), alerts: receiver.alerts.length }));
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-soak-'));
try {
  await using one = await EchoOrigin.listen();
  await using other = await EchoOrigin.listen();
  await using receiver = await Receiver.listen();
  await using program = await RunningProgram.start('serve', directory, { args: ['--edge-workers', '2'] });
  await configure(program, [one.port, other.port]);
  const shown = await showSite(program);
  for (const { what, acts } of shown) if (!acts) failures.push(`${what} does not act`);
  const eventsBefore = await countEvents(program);
  await configureOthers(program, receiver);
  const endMs = Date.now() + minutes * 60_000;
  console.log(`${shown.length} rules and pools act; ${minutes} minutes at ${rate} requests in a second.`);
  const traffic = sendAll(program, endMs);
  const readings: { readonly memory: number; readonly disk: number }[] = [];
  const samples = 20;
  for (let sample = 1; sample <= samples; sample++) {
    await sleep((minutes * 60_000) / samples);
    receiver.isAway = sample >= samples / 3 && sample < (samples * 2) / 3;
    const reading = { memory: program.readResidentMegabytes(), disk: measureDisk(directory) };
    readings.push(reading);
    console.log(
      `${((sample * minutes) / samples).toFixed(1)} min: ${counts.requests} requests, ${reading.memory.toFixed(0)} MB of memory, ${reading.disk.toFixed(1)} MB of disk, ${failures.length} wrong`,
    );
  }
  await traffic;
  const acted = counts.blocked + counts.limited;
  for (let tries = 0; tries < 100; tries++) {
    counts.events = (await countEvents(program)) - eventsBefore;
    if (counts.events >= acted) break;
    await sleep(100);
  }
  if (counts.events < acted)
    failures.push(`${acted} requests were acted on, and ${counts.events} events are there`);
  await waitForRecords(receiver, acted);
  const settled = readings[samples / 4 - 1]!;
  const last = readings.at(-1)!;
  if (last.memory > settled.memory + memoryGrowthMax)
    failures.push(`memory grew from ${settled.memory.toFixed(0)} to ${last.memory.toFixed(0)} MB`);
  const allowed = diskMegabytesMax + (acted * diskBytesPerEvent) / 1e6;
  if (last.disk > allowed)
    failures.push(`${last.disk.toFixed(0)} MB on disk; ${allowed.toFixed(0)} are allowed`);
  console.log(JSON.stringify({ ...counts, load: loadavg()[0] }));
} finally {
  rmSync(directory, { recursive: true, force: true });
}
for (const failure of failures.slice(0, 20)) console.error(failure);
console.log(`${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
