/** The cost of finding the Worker of a request, beside checking every route; both find the same. */
import { createHash } from 'node:crypto';
import { WorkerRoutes } from '../../src/traffic/edge/zones/worker-routes.ts';
import { formatNs, nsPerCall } from '../rules/measure.ts';
import { target, type Table } from './report.ts';

interface Route {
  readonly host: string;
  readonly path: string;
  readonly worker: string;
}

const routeNsMax = 5_000;
const calls = 20_000;
const requestCount = 256;

/** Hosts with and without a star, whole paths and prefixes of many lengths. */
function createRoutes(count: number): Route[] {
  return Array.from({ length: count }, (_, index) => ({
    host: index % 4 === 0 ? `*.h${index % 50}.example` : `h${index % 50}.example`,
    path: `/${'p'.repeat(index % 30)}${index}${index % 3 === 0 ? '' : '/*'}`,
    worker: `w${index}`,
  }));
}

/** The most specific of all that match. */
function search(routes: readonly Route[], host: string, path: string): string | undefined {
  const rank = (route: Route): readonly number[] => [
    route.host.startsWith('*') ? 0 : 1,
    route.host.length,
    route.path.endsWith('*') ? 0 : 1,
    route.path.length,
  ];
  const fits = (pattern: string, text: string, isBeginning: boolean): boolean => {
    if (!pattern.includes('*')) return pattern === text;
    return isBeginning ? text.startsWith(pattern.slice(0, -1)) : text.endsWith(pattern.slice(1));
  };
  let best: Route | undefined;
  for (const route of routes) {
    if (!fits(route.host, host, false) || !fits(route.path, path, true)) continue;
    const [one, other] = [rank(route), best === undefined ? [] : rank(best)];
    const at = one.findIndex((each, index) => each !== other[index]);
    if (best === undefined || (at >= 0 && one[at]! > other[at]!)) best = route;
  }
  return best?.worker;
}

export function benchRoutes(rounds: number): Table {
  const rows = [10, 100, 1_000].map((count) => {
    const routes = createRoutes(count);
    const table = new WorkerRoutes(routes);
    const requests = Array.from({ length: requestCount }, (_, index) => {
      const { host, path } = routes[(index * 7) % count]!;
      const isMiss = index % 8 === 0;
      return [host.replace('*', 'www'), isMiss ? '/none' : path.replace('*', 'a/b')] as const;
    });
    const found = requests.map(([host, path]) => table.find(host, path)?.worker);
    const hashOf = (workers: readonly (string | undefined)[]): string =>
      createHash('sha256').update(workers.join()).digest('hex').slice(0, 12);
    const hash = hashOf(found);
    if (hash !== hashOf(requests.map(([host, path]) => search(routes, host, path))))
      throw new Error(`${count} routes: the table and the search disagree`);
    let sink = 0;
    const ask = (find: (host: string, path: string) => unknown) => (call: number) => {
      const [host, path] = requests[call % requestCount]!;
      if (find(host, path) !== undefined) sink++;
    };
    const tableNs = nsPerCall(
      calls,
      rounds,
      ask((host, path) => table.find(host, path)),
    );
    const searchNs = nsPerCall(
      calls / 100,
      rounds,
      ask((host, path) => search(routes, host, path)),
    );
    if (sink === 0) throw new Error('nothing was found');
    return [
      count.toLocaleString('en'),
      formatNs(tableNs),
      formatNs(searchNs),
      `\`${hash}\``,
      target(`≤ ${formatNs(routeNsMax)}`, tableNs <= routeNsMax),
    ];
  });
  return {
    title: 'Finding the Worker of a request',
    header: ['routes', 'table', 'looking at every route', 'found', 'target'],
    rows,
  };
}
