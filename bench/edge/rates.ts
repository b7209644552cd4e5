/**
 * The cost of rate limits: judging with 0, 1, 10 and 100 of them, few and many live keys, and the memory of the keys.
 */
import { parseIp, formatIp, Ip } from '../../src/foundation/addresses.ts';
import { RateCounters } from '../../src/traffic/edge/rates/rate-counters.ts';
import { RateTable } from '../../src/traffic/edge/rates/rate-table.ts';
import { RequestView } from '../../src/rules/expressions.ts';
import { CompiledZone, ManagedPrograms } from '../../src/rules/firewall.ts';
import type { Ruleset } from '../../src/rules/rulesets.ts';
import { legacyPackages, managedRulesets } from '../../src/rules/managed.ts';
import { type RequestFacts, RequestFields } from '../../src/rules/request.ts';
import { factsOf } from './judging.ts';
import { target, type Table } from './report.ts';
import { page } from './requests.ts';
import { zoneOf } from './zones.ts';

const periodSeconds = 600;
const first = parseIp('10.0.0.0')!.w0;

/** The first rule matches; the others are for other paths. */
function limitsOf(count: number): Ruleset {
  const rules = Array.from({ length: count }, (_, index) => ({
    id: `limit-${index}`,
    version: '1',
    action: 'block' as const,
    expression: index === 0 ? 'http.request.method eq "GET"' : `http.request.uri.path eq "/limited/${index}"`,
    ratelimit: {
      characteristics: ['cf.colo.id', 'ip.src'],
      period: periodSeconds,
      requests_per_period: 1_000_000,
      mitigation_timeout: 60,
    },
    last_updated: '2026-01-01T00:00:00.000000Z',
    ref: `limit-${index}`,
    enabled: true,
  }));
  return {
    id: 'limits',
    name: 'limits',
    description: '',
    kind: 'zone',
    version: '1',
    rules,
    last_updated: '2026-01-01T00:00:00.000000Z',
    phase: 'http_ratelimit',
  };
}

export function benchRates(rounds: number): Table {
  const parts = {
    catalogue: { rulesets: managedRulesets, legacyPackages },
    programs: new ManagedPrograms(),
  };
  const judgedWith = (rules: number, keys: number): number => {
    const configuration = { ...zoneOf({}, 1), entryPoints: rules === 0 ? [] : [limitsOf(rules)] };
    return timeJudging(new CompiledZone(configuration, parts), { rounds, keys });
  };
  const rows: string[][] = [];
  for (const keys of [1_000, 200_000]) {
    const none = judgedWith(0, keys);
    const one = judgedWith(1, keys);
    rows.push([`${keys.toLocaleString('en')} keys, no limit`, none.toFixed(2), '', '']);
    const added = one - none;
    rows.push([`… 1 limit`, one.toFixed(2), added.toFixed(2), target('≤ 3', added <= 3)]);
    for (const rules of [10, 100]) {
      const all = judgedWith(rules, keys);
      const each = (all - one) / (rules - 1);
      rows.push([`… ${rules} limits`, all.toFixed(2), each.toFixed(2), target('≤ 0.3', each <= 0.3)]);
    }
  }
  const megabytes = measureKeys(200_000);
  rows.push([
    '200,000 keys of an address each',
    `${megabytes.toFixed(1)} MB`,
    '',
    target('≤ 40', megabytes <= 40),
  ]);
  return {
    title: 'Rate limits, CPU time of the process',
    header: [
      'live keys and rules',
      'median round, µs for a request',
      'the first, or each further, µs',
      'target',
    ],
    rows,
  };
}

const judgementsPerRound = 500;

/** Each request comes from another address, so that the keys are those of a crowd. */
function timeJudging(
  zone: CompiledZone,
  { rounds, keys }: { readonly rounds: number; readonly keys: number },
): number {
  const counters = new RateCounters();
  const judge = (facts: RequestFacts): void => {
    const rates = zone.limitsRates ? counters.open('zone') : undefined;
    const view = new RequestView(new RequestFields(facts));
    if (zone.judge({ view, rates }).verdict.kind !== 'pass') throw new Error('a limit stops the benchmark');
  };
  const common = factsOf(page);
  const from = (index: number): RequestFacts => ({ ...common, ip: new Ip(4, first + (index % keys)) });
  if (zone.limitsRates) for (let index = 0; index < keys; index++) judge(from(index));
  const step = 7_919;
  let at = 0;
  const times = Array.from({ length: rounds }, () => {
    const requests = Array.from({ length: judgementsPerRound }, () => from((at += step)));
    const { user, system } = process.cpuUsage();
    for (const facts of requests) judge(facts);
    const spent = process.cpuUsage({ user, system });
    return (spent.user + spent.system) / judgementsPerRound;
  });
  counters.close();
  return times.toSorted((a, b) => a - b)[rounds >> 1]!;
}

/** In megabytes, with the text of the keys as a zone writes it. */
function measureKeys(count: number): number {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const table = new RateTable();
  const limit = { requests: 100, periodMs: periodSeconds * 1_000, timeoutMs: 60_000 };
  const zoneId = '0123456789abcdef'.repeat(2);
  for (let index = 0; index < count; index++) {
    const key = `${zoneId}\n${zoneId}\n=${formatIp(new Ip(4, first + index))}`;
    table.take(key, limit, { isCounted: true, nowMs: Date.now() });
  }
  globalThis.gc?.();
  const after = process.memoryUsage();
  if (table.size !== count) throw new Error('keys were forgotten');
  return (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6;
}
