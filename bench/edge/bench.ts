/**
 * The edge beside other proxies in one run on loopback, the cost of judging and counting, the effect of logging, and
 * the memory after replaced configurations. Prints tables in Markdown.
 *
 *     node bench/edge/bench.ts                  everything, some three minutes
 *     node bench/edge/bench.ts --small          a quick look
 *     node bench/edge/bench.ts --only judging   one of: proxies, cost, changes, http2, judging, rates, routes, logging, swaps, workers
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchChanges } from './changes.ts';
import { benchCost } from './cost.ts';
import { benchHttp2 } from './http2/http2.ts';
import { benchJudging } from './judging.ts';
import { benchLogging } from './logging.ts';
import { benchProxies } from './proxies.ts';
import { benchRates } from './rates.ts';
import { markdownOf, type Table } from './report.ts';
import { benchRoutes } from './routes.ts';
import { benchSwaps } from './swaps.ts';
import { benchWorkers } from './workers.ts';

const { values: options } = parseArgs({
  options: { small: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const { small } = options;

type Tables = Table | AsyncIterable<Table>;

const benches: Readonly<Record<string, (directory: string) => Tables | Promise<Tables>>> = {
  judging: () => benchJudging(small ? 40 : 200),
  rates: () => benchRates(small ? 20 : 100),
  routes: () => benchRoutes(small ? 5 : 20),
  proxies: (directory) =>
    benchProxies(
      directory,
      small
        ? { warmUpMs: 500, durationMs: 1_000, turns: 1 }
        : { warmUpMs: 2_000, durationMs: 3_000, turns: 3 },
    ),
  cost: (directory) =>
    benchCost(directory, small ? { durationMs: 1_000, turns: 3 } : { durationMs: 1_000, turns: 15 }),
  changes: (directory) =>
    benchChanges(directory, small ? { durationMs: 1_000, turns: 3 } : { durationMs: 3_000, turns: 5 }),
  http2: (directory) =>
    benchHttp2(
      directory,
      small
        ? { requests: 2_000, turns: 2, handshakes: 400, idle: 1_000, compressed: 200 }
        : { requests: 4_000, turns: 8, handshakes: 2_000, idle: 10_000, compressed: 1_000 },
    ),
  logging: (directory) => benchLogging(directory, small ? 2 : 10),
  swaps: () => benchSwaps(small ? 1_000 : 10_000),
  workers: () => benchWorkers(small ? 1_000 : 10_000),
};
const { only } = options;
if (only !== undefined && !Object.hasOwn(benches, only)) {
  throw new TypeError(`--only takes one of ${Object.keys(benches).join(', ')}: ${only}`);
}

const [load] = loadavg();
console.log(
  `Node ${process.version}, ${availableParallelism()} processors, load ${load!.toFixed(1)} before the run.`,
);
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-edge-'));
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (only !== undefined && only !== name) continue;
    console.error(`${name} …`);
    const tables = await bench(directory);
    if ('title' in tables) console.log(markdownOf(tables));
    else for await (const table of tables) console.log(markdownOf(table));
  }
} finally {
  rmSync(directory, { recursive: true, force: true });
}
