/** What rules that change requests cost, and pools: CPU time of the edge, beside one without rules. All take turns. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Started, startScript } from './children.ts';
import { type CostTimes, measureAll } from './cost.ts';
import type { Table } from './report.ts';
import { tinyUnlike } from './requests.ts';
import type { ZoneParts } from './zones.ts';

const edges: readonly (readonly [name: string, parts: ZoneParts])[] = [
  ['no rules, one origin', {}],
  ['a redirect answered at the edge', { changes: 'redirect' }],
  ['a field of the request and one of the answer rewritten', { changes: 'fields' }],
  ['a pool of one origin', { origins: 1 }],
  ['a pool of four origins', { origins: 4 }],
];

export async function benchChanges(directory: string, times: CostTimes): Promise<Table> {
  await using origin = await startScript('origin.ts', []);
  await using started = new AsyncDisposableStack();
  const proxies: [string, Started][] = [];
  for (const [index, [name, parts]] of edges.entries()) {
    const events = join(directory, `changes-${index}`);
    mkdirSync(events);
    const edge = await startScript('edge.ts', [origin.port, JSON.stringify(parts), events]);
    proxies.push([name, started.use(edge)]);
  }
  const costs = await measureAll(proxies, tinyUnlike, times);
  const plain = costs[0]!.best;
  return {
    title: 'Rules that change requests, and pools',
    header: ['zone', 'CPU µs per request', 'median of turns', 'beside no rules'],
    rows: costs.map(({ name, best, median }) => [
      name,
      best.toFixed(0),
      median.toFixed(0),
      `${best < plain ? '−' : '+'}${Math.abs(best - plain).toFixed(0)} µs`,
    ]),
  };
}
