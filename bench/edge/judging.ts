/** The cost of judging alone, in this process: no sockets, and every request in fresh strings. */
import { CompiledZone, ManagedPrograms } from '../../src/rules/firewall.ts';
import { managedRulesets, legacyPackages } from '../../src/rules/managed.ts';
import { RequestView } from '../../src/rules/expressions.ts';
import { parseClientAddress, type RequestFacts, RequestFields, splitUri } from '../../src/rules/request.ts';
import { target, type Table } from './report.ts';
import { call, page, type SampleRequest } from './requests.ts';
import { zoneName, zoneOf } from './zones.ts';

interface Timing {
  readonly rounds: number;
  readonly judgementsPerRound?: number;
  /** Whether a rule that acts is a mistake. */
  readonly isOrdinary?: boolean;
}

export function benchJudging(rounds: number): Table {
  const parts = {
    catalogue: { rulesets: managedRulesets, legacyPackages },
    programs: new ManagedPrograms(),
  };
  const zone = (what: Parameters<typeof zoneOf>[0]): CompiledZone => new CompiledZone(zoneOf(what, 1), parts);
  const startedUs = cpuMicroseconds();
  const managed = zone({ managed: true });
  const compiledMs = (cpuMicroseconds() - startedUs) / 1000;
  const zones: readonly (readonly [string, CompiledZone])[] = [
    ['no rules', zone({})],
    ['100 firewall rules', zone({ firewallRules: true })],
    ['the managed ruleset', managed],
    ['both', zone({ firewallRules: true, managed: true })],
  ];
  const rows = zones.flatMap(([name, compiled]) =>
    [page, call].map((request) => {
      const { best, median } = timeJudging(compiled, request, { rounds });
      const aim = name === 'both' ? target('≤ 50', median <= 50) : '';
      return [`${request.name}, ${name}`, best.toFixed(1), median.toFixed(1), aim];
    }),
  );
  const compiled = `${compiledMs.toFixed(0)} ms`;
  return {
    title: 'Judging, CPU time of the process',
    header: ['request and rules', 'best round, µs', 'median round, µs', 'target'],
    rows: [...rows, ['the managed ruleset compiled, once per process', compiled, compiled, '']],
  };
}

export function timeJudging(
  zone: CompiledZone,
  request: SampleRequest,
  { rounds, judgementsPerRound = 300, isOrdinary = true }: Timing,
): { readonly best: number; readonly median: number } {
  const microseconds = new Float64Array(rounds);
  for (let round = 0; round < rounds; round++) {
    const requests = Array.from({ length: judgementsPerRound }, () => factsOf(request));
    const startedUs = cpuMicroseconds();
    for (const facts of requests) {
      const view = new RequestView(new RequestFields(facts));
      const { verdict, triggered } = zone.judge({ view });
      if (isOrdinary && (verdict.kind !== 'pass' || triggered.length > 0))
        throw new Error(`an ordinary request triggers ${triggered[0]?.description}`);
    }
    microseconds[round] = (cpuMicroseconds() - startedUs) / judgementsPerRound;
  }
  microseconds.sort();
  return { best: microseconds[0]!, median: microseconds[Math.floor(rounds / 2)]! };
}

/** All threads of the process: collecting garbage counts. */
function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

export function factsOf({ method, target, headers, body }: SampleRequest): RequestFacts {
  const uri = { ...splitUri(fresh(target)), scheme: 'http', authority: zoneName };
  return {
    method: fresh(method),
    version: 'HTTP/1.1',
    uri,
    path: uri.path,
    headers: Object.entries(headers).map(([name, value]) => [fresh(name), fresh(value)] as const),
    body: fresh(body),
    bodySize: body.length,
    isBodyTruncated: false,
    ip: parseClientAddress('198.51.100.7'),
    place: { country: '', asn: undefined },
    receivedAtMs: 0,
    response: { status: undefined, headers: [] },
  };
}

function fresh(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}
