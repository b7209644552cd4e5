/** Proxies in front of the same origin under the same load, from nginx to an edge that judges and logs every request. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RecorderCounts } from '../../src/traffic/events.ts';
import type { LoadPlan, LoadResult } from '../api/load.ts';
import { cpuMsOf, nginxVersion, type Started, startNginx, startScript } from './children.ts';
import { target, type Table } from './report.ts';
import { page } from './requests.ts';
import type { ZoneParts } from './zones.ts';

const connections = 32;

export interface LoadTimes {
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** The fastest counts: the result without interference. */
  readonly turns: number;
}

interface Measured {
  readonly perSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly cpuMicroseconds: number;
}

interface Row {
  readonly name: string;
  readonly measured: Measured | undefined;
  /** What became of the events. */
  readonly note?: string;
}

const zones: readonly (readonly [name: string, parts: ZoneParts])[] = [
  ['Gatehouse edge, no rules', {}],
  ['… 100 firewall rules', { firewallRules: true }],
  ['… the managed ruleset', { managed: true }],
  ['… both', { firewallRules: true, managed: true }],
  ['… both, and every request logged to disk', { firewallRules: true, managed: true, log: true }],
];

export async function benchProxies(directory: string, times: LoadTimes): Promise<Table> {
  await using origin = await startScript('origin.ts', []);
  const rows: Row[] = [
    await nginxRow(directory, origin.port, times),
    { name: 'plain Node proxy', measured: await nodeProxy(origin.port, times) },
  ];
  for (const [index, [name, parts]] of zones.entries()) {
    const log = join(directory, `log-${index}`);
    await using edge = await startScript('edge.ts', [origin.port, JSON.stringify(parts), log]);
    const measured = await measure(edge, times);
    await edge.stop();
    rows.push({ name, measured, ...(parts.log === true ? { note: noteOf(await edge.nextLine()) } : {}) });
  }
  return tableOf(rows);
}

async function nginxRow(directory: string, originPort: number, times: LoadTimes): Promise<Row> {
  await using nginx = await startNginx(join(directory, 'nginx'), originPort);
  if (nginx === undefined) return { name: 'nginx (not installed)', measured: undefined };
  return { name: nginxVersion().replace('nginx version: ', ''), measured: await measure(nginx, times) };
}

async function nodeProxy(originPort: number, times: LoadTimes): Promise<Measured> {
  await using proxy = await startScript('node-proxy.ts', [originPort]);
  return await measure(proxy, times);
}

function noteOf(counts: string): string {
  const { written, dropped } = JSON.parse(counts) as RecorderCounts;
  return `(${written.toLocaleString('en')} events written, ${dropped.toLocaleString('en')} dropped)`;
}

async function measure(proxy: Started, { warmUpMs, durationMs, turns }: LoadTimes): Promise<Measured> {
  await load(proxy.port, warmUpMs);
  let best: Measured | undefined;
  for (let turn = 0; turn < turns; turn++) {
    const cpuMsBefore = cpuMsOf(proxy.pid);
    const { answered, elapsedMs, medianMs, p99Ms } = await load(proxy.port, durationMs);
    const perSecond = (answered * 1000) / elapsedMs;
    const cpuMicroseconds = ((cpuMsOf(proxy.pid) - cpuMsBefore) * 1000) / answered;
    if (best === undefined || perSecond > best.perSecond)
      best = { perSecond, medianMs, p99Ms, cpuMicroseconds };
  }
  return best!;
}

export async function load(port: number, durationMs: number, request = page): Promise<LoadResult> {
  const { Host: host, ...headers } = request.headers;
  const plan: LoadPlan = {
    urls: [`http://127.0.0.1:${port}${request.target}`],
    requestsPerUrl: 1e9,
    method: request.method,
    headers: { host: host!, ...headers },
    body: '',
    connections,
    durationMs,
  };
  const script = join(import.meta.dirname, '..', 'api', 'load.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(plan)]);
  return JSON.parse(stdout) as LoadResult;
}

function tableOf(rows: readonly Row[]): Table {
  const measuredOf = (name: string): Measured => rows.find((row) => row.name === name)!.measured!;
  const [plain, unjudged] = [measuredOf('plain Node proxy'), measuredOf('Gatehouse edge, no rules')];
  return {
    title: 'Proxies in front of the same origin',
    header: [
      'proxy',
      'requests/s',
      'median ms',
      'p99 ms',
      'CPU µs per request',
      'of the plain Node proxy',
      'target',
    ],
    rows: rows.map(({ name, measured, note }) => {
      if (measured === undefined) return [name, '–', '–', '–', '–', '–', ''];
      const { perSecond, medianMs, p99Ms, cpuMicroseconds } = measured;
      const ratio = perSecond / plain.perSecond;
      return [
        name,
        Math.round(perSecond).toLocaleString('en'),
        medianMs.toFixed(2),
        p99Ms.toFixed(2),
        cpuMicroseconds.toFixed(0),
        ratio.toFixed(2),
        [targetOf(name, ratio, cpuMicroseconds - unjudged.cpuMicroseconds), note ?? ''].join(' ').trim(),
      ];
    }),
  };
}

function targetOf(name: string, ratio: number, addedMicroseconds: number): string {
  if (!name.startsWith('Gatehouse') && !name.startsWith('…')) return '';
  const share = target('≥ 0.60', ratio >= 0.6);
  if (name !== '… both') return share;
  return `${share}, judging adds ${target(`${addedMicroseconds.toFixed(0)} µs (≤ 50)`, addedMicroseconds <= 50)}`;
}
