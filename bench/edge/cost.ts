/**
 * The cost of a request, in CPU time of the proxy: nginx, Node sockets that only forward bytes, our edge without rules,
 * with the managed ruleset, with the OWASP rules as well, and with learning. Every value is new. All proxies run side
 * by side and take turns; the cheapest turn of each counts, because other processes can only increase it.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDebianPackage, VersionStore } from '../../src/rules/seclang.ts';
import { findRulesPackage, unpackModsecurity } from '../owasp/modsecurity.ts';
import { cpuMsOf, nginxVersion, type Started, startNginx, startScript } from './children.ts';
import { load } from './proxies.ts';
import { target, type Table } from './report.ts';
import { pageUnlike, type SampleRequest, tinyUnlike } from './requests.ts';
import type { ZoneParts } from './zones.ts';

export interface CostTimes {
  readonly durationMs: number;
  readonly turns: number;
}

const edges: readonly (readonly [name: string, parts: ZoneParts])[] = [
  ['no rules', {}],
  ['the managed ruleset', { managed: true }],
  ['managed and OWASP, level 2', { managed: true, owaspLevel: 2 }],
  ['the managed ruleset, learning', { managed: true, learns: true }],
];

/** What managed rules may add, in microseconds. */
const addedMax: ReadonlyMap<SampleRequest, number> = new Map([
  [tinyUnlike, 40],
  [pageUnlike, 100],
]);

export async function benchCost(directory: string, times: CostTimes): Promise<Table> {
  const rules = join(directory, 'cost-rules');
  unpackModsecurity();
  const store = new VersionStore(rules);
  store.use(store.install(await readDebianPackage(findRulesPackage())).version);
  await using origin = await startScript('origin.ts', []);
  await using nginx = await startNginx(join(directory, 'cost-nginx'), origin.port);
  if (nginx === undefined) throw new Error('nginx is not installed: apt-get install nginx');
  await using relay = await startScript('relay.ts', [origin.port]);
  await using started = new AsyncDisposableStack();
  const proxies: [string, Started][] = [
    [nginxVersion().replace('nginx version: ', ''), nginx],
    ['sockets of Node, nothing read', relay],
  ];
  for (const [index, [name, parts]] of edges.entries()) {
    const events = join(directory, `cost-${index}`);
    mkdirSync(events);
    const edge = await startScript('edge.ts', [origin.port, JSON.stringify(parts), events, rules]);
    proxies.push([name, started.use(edge)]);
  }
  const rows: string[][] = [];
  for (const request of [tinyUnlike, pageUnlike])
    rows.push(...rowsOf(request, await measureAll(proxies, request, times)));
  return {
    title: 'What a request costs, values that never repeat',
    header: ['request', 'proxy', 'CPU µs per request', 'median of turns', 'target'],
    rows,
  };
}

/**
 * V8 compiles frequently run code while it runs; in a process that has served for days, this is complete. In requests,
 * because all rules together take thousands until the last of their code is compiled: after 4,000 of them, OWASP rules
 * took three times what they take after 20,000.
 */
async function warmUp({ port }: Started, request: SampleRequest): Promise<void> {
  let answered = 0;
  for (let rounds = 0; rounds < warmRoundsMax && answered < warmRequests; rounds++)
    answered += (await load(port, 1_000, request)).answered;
}

const warmRequests = 20_000;
const warmRoundsMax = 40;

interface Cost {
  readonly name: string;
  readonly best: number;
  readonly median: number;
}

export async function measureAll(
  proxies: readonly (readonly [string, Started])[],
  request: SampleRequest,
  { durationMs, turns }: CostTimes,
): Promise<Cost[]> {
  const measured = proxies.map((): number[] => []);
  for (const [, proxy] of proxies) await warmUp(proxy, request);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, [, { port, pid }]] of proxies.entries()) {
      const before = cpuMsOf(pid);
      const { answered } = await load(port, durationMs, request);
      measured[index]!.push(((cpuMsOf(pid) - before) * 1_000) / answered);
    }
  }
  return measured.map((costs, index) => {
    costs.sort((a, b) => a - b);
    return { name: proxies[index]![0], best: costs[0]!, median: costs[Math.floor(turns / 2)]! };
  });
}

function rowsOf(request: SampleRequest, costs: readonly Cost[]): string[][] {
  const [nginx, relay, plain, managed, owasp, learning] = costs.map(({ best }) => best) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const added = managed - plain;
  const addedAtMost = addedMax.get(request)!;
  const aims = [
    '',
    `${(relay / nginx).toFixed(1)} × nginx`,
    target(`${(plain / nginx).toFixed(1)} × nginx (≤ 2)`, plain / nginx <= 2),
    target(`adds ${added.toFixed(0)} µs (≤ ${addedAtMost})`, added <= addedAtMost),
    target(`${(owasp / managed).toFixed(1)} × managed (≤ 3)`, owasp / managed <= 3),
    `${(learning / managed).toFixed(2)} × managed`,
  ];
  return costs.map(({ name, best, median }, index) => [
    request.name,
    name,
    best.toFixed(0),
    median.toFixed(0),
    aims[index]!,
  ]);
}
