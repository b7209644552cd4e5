/**
 * The cost of the managed ruleset with its detectors, in this process: CPU time to judge ordinary requests, next to the
 * targets, and the most expensive of the texts that repeat one unit. Generates the table of
 * docs/rules/managed-rules.md.
 *
 *     node bench/detection/bench.ts [--small]
 */
import { parseArgs } from 'node:util';
import { CompiledZone, ManagedPrograms } from '../../src/rules/firewall.ts';
import { legacyPackages, managedRulesets } from '../../src/rules/managed.ts';
import { timeJudging } from '../edge/judging.ts';
import { markdownOf, type Table, target } from '../edge/report.ts';
import type { SampleRequest } from '../edge/requests.ts';
import { zoneOf } from '../edge/zones.ts';
import { requests } from '../owasp/requests.ts';
import { units } from './units.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const rounds = options.small ? 5 : 40;
const pumpedBytes = 32 * 1024;

/** Microseconds, in the order of the requests; the last has no target. */
const targets = [60, 120, 400, 900];

const zone = new CompiledZone(zoneOf({ managed: true }, 1), {
  catalogue: { rulesets: managedRulesets, legacyPackages },
  programs: new ManagedPrograms(),
});

function timePumped(unit: string): number {
  const text = unit.repeat(Math.ceil(pumpedBytes / unit.length)).slice(0, pumpedBytes);
  const pumped: SampleRequest = {
    name: unit,
    method: 'POST',
    target: '/post',
    headers: { Host: 'example.com', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `note=${encodeURIComponent(text)}`,
  };
  return timeJudging(zone, pumped, { rounds: 3, judgementsPerRound: 1, isOrdinary: false }).best / 1_000;
}

function print(table: Table): void {
  process.stdout.write(`${markdownOf(table)}\n`);
}

print({
  title: 'The managed ruleset with its detectors, CPU time of the process',
  header: ['request', 'best round, µs', 'median round, µs', 'target'],
  rows: requests.map((request, index) => {
    const { best, median } = timeJudging(zone, request, { rounds });
    const aim = targets[index];
    const note = aim === undefined ? '' : target(`≤ ${aim}`, median <= aim);
    return [request.name, best.toFixed(0), median.toFixed(0), note];
  }),
});
const dearest = units.map((unit) => [unit, timePumped(unit)] as const).toSorted((a, b) => b[1] - a[1]);
print({
  title: `${units.length} units, each repeated to 32 KB in a field of a form: the five dearest`,
  header: ['unit', 'CPU, ms', 'target'],
  rows: dearest
    .slice(0, 5)
    .map(([unit, ms]) => [JSON.stringify(unit), ms.toFixed(1), target('< 50', ms < 50)]),
});
