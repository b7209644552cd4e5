/**
 * The cost of rules that change requests, and of pools: CPU time of the edge, beside one without rules. All take turns.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Started, startNginx, startScript } from './children.ts';
import { type CostTimes, measureAll } from './cost.ts';
import type { Table } from './report.ts';
import { tinyUnlike } from './requests.ts';
import type { ZoneParts } from './zones.ts';

const edges: readonly (readonly [name: string, parts: ZoneParts])[] = [
  ['no rules, one origin', {}],
  ['a redirect answered at the edge', { changes: 'redirect' }],
  ['a field of the request and one of the answer rewritten', { changes: 'fields' }],
  ['a rate limit by address', { changes: 'limit' }],
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
  for (const limits of [false, true]) {
    const nginx = await startNginx(join(directory, `changes-nginx-${limits}`), origin.port, { limits });
    if (nginx === undefined) throw new Error('nginx is not installed: apt-get install nginx');
    proxies.push([limits ? 'nginx, limit_req by address' : 'nginx', started.use(nginx)]);
  }
  const costs = await measureAll(proxies, tinyUnlike, times);
  const plainOf = (name: string): number =>
    costs.find((each) => each.name === (name.startsWith('nginx') ? 'nginx' : edges[0]![0]))!.best;
  return {
    title: 'Rules that change requests, and pools',
    header: ['zone', 'CPU µs per request', 'median of turns', 'beside no rules'],
    rows: costs.map(({ name, best, median }) => {
      const added = best - plainOf(name);
      const beside = `${added < 0 ? '−' : '+'}${Math.abs(added).toFixed(1)} µs`;
      return [name, best.toFixed(0), median.toFixed(0), beside];
    }),
  };
}
