/**
 * The OWASP Core Rule Set in two engines: nginx with libmodsecurity, and our edge. CPU time of the proxy for each request,
 * less that of the same proxy without rules. Both take turns in one run; needs nginx and apt.
 *
 *     node bench/owasp/bench.ts [--small] [--renewed] [--rules ./coreruleset-4.25.0]
 *
 * Each request is sent over and over; with --renewed, every argument has a word that no request had before. Rules are those
 * of the package of Debian, or of an unpacked release.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDebianPackage, readRuleDirectory, VersionStore } from '../../src/rules/seclang.ts';
import { Client, textOf } from '../edge/clients.ts';
import { cpuMsOf, type Started, startNginx, startScript } from '../edge/children.ts';
import type { SampleRequest } from '../edge/requests.ts';
import {
  configureModsecurity,
  copyRelease,
  findRulesPackage,
  settingsForLevel,
  unpackModsecurity,
} from './modsecurity.ts';
import { renewWords, requests } from './requests.ts';

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    renewed: { type: 'boolean', default: false },
    rules: { type: 'string' },
  },
});
/*
 * Turns are measured in CPU time of the proxy, so that they are equally long on a busy machine. V8 compiles frequently
 * run code while it runs; in a process that has served for days, this is complete, so ours is warmed up first.
 */
const warmCpuMs = 3_000;
const turnCpuMs = options.small ? 250 : 1_000;
const turns = options.small ? 5 : 7;
const connections = 8;
const levels = options.small ? [1] : [1, 2, 4];

/** How much CPU time of the proxy a request takes, in microseconds, while it uses so much. */
async function measureTurn({ port, pid }: Started, text: string, durationCpuMs: number): Promise<number> {
  const before = cpuMsOf(pid);
  let answered = 0;
  let isOver = false;
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const client = new Client(port, reject);
      const send = (): void =>
        client.send(options.renewed ? renewWords(text) : text, ({ status }) => {
          if (status !== 200) reject(new Error(`answered with ${status}`));
          answered++;
          if (answered % connections === 0) isOver ||= cpuMsOf(pid) - before >= durationCpuMs;
          if (!isOver) return send();
          client.close();
          resolve();
        });
      send();
    });
  await Promise.all(Array.from({ length: connections }, drive));
  return ((cpuMsOf(pid) - before) * 1_000) / answered;
}

/**
 * The cost that rules add to a request: turns with and without them alternate, and the median of the differences
 * counts.
 */
async function measure(
  request: SampleRequest,
  {
    judging,
    passing,
    warmMs,
  }: { readonly judging: Started; readonly passing: Started; readonly warmMs: number },
): Promise<number> {
  const text = textOf(request);
  for (const proxy of [judging, passing]) await measureTurn(proxy, text, warmMs);
  const measured: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const added = await measureTurn(judging, text, turnCpuMs);
    measured.push(added - (await measureTurn(passing, text, turnCpuMs)));
  }
  return measured.toSorted((a, b) => a - b)[Math.floor(turns / 2)]!;
}

async function requireNginx(started: Promise<Started | undefined>): Promise<Started> {
  const nginx = await started;
  if (nginx === undefined) throw new Error('nginx is not installed: apt-get install nginx');
  return nginx;
}

async function run(directory: string): Promise<string[]> {
  const root = unpackModsecurity();
  const rules = join(directory, 'rules');
  const store = new VersionStore(rules);
  const { version } = store.install(
    options.rules === undefined
      ? await readDebianPackage(findRulesPackage())
      : readRuleDirectory(options.rules),
  );
  const release =
    options.rules === undefined ? {} : { rules: copyRelease(options.rules, join(directory, 'release')) };
  store.use(version);
  await using origin = await startScript('origin.ts', []);
  const startEdge = (name: string, parts: object): Promise<Started> => {
    const events = join(directory, name);
    mkdirSync(events);
    return startScript('edge.ts', [origin.port, JSON.stringify(parts), events, rules]);
  };
  await using nginx = await requireNginx(startNginx(join(directory, 'nginx'), origin.port));
  await using edge = await startEdge('edge', {});
  const rows: string[] = [];
  for (const level of levels) {
    const rulesFile = join(directory, `modsecurity-${level}.conf`);
    const firewall = configureModsecurity(root, rulesFile, { ...settingsForLevel(level), ...release });
    await using theirs = await requireNginx(
      startNginx(join(directory, `nginx-${level}`), origin.port, { firewall }),
    );
    await using ours = await startEdge(`edge-${level}`, { owaspLevel: level });
    for (const request of requests)
      for (const proxy of [ours, edge]) await measureTurn(proxy, textOf(request), warmCpuMs);
    for (const request of requests) {
      const theirUs = await measure(request, { judging: theirs, passing: nginx, warmMs: turnCpuMs });
      const ourUs = await measure(request, { judging: ours, passing: edge, warmMs: warmCpuMs });
      const figures = [theirUs, ourUs].map((us) => Math.round(us).toLocaleString('en'));
      rows.push(`| ${level} | ${request.name} | ${figures.join(' | ')} | ${(theirUs / ourUs).toFixed(1)}× |`);
    }
  }
  return [
    `OWASP Core Rule Set ${version}. CPU time that the rules add to a request, in microseconds.`,
    '',
    '| level | request | nginx + libmodsecurity | Gatehouse edge | ratio |',
    '|---|---|---:|---:|---:|',
    ...rows,
  ];
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-owasp-'));
try {
  console.log(`${(await run(directory)).join('\n')}\n`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
