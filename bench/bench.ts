/**
 * The benchmark: one module, two servers, one run, ratios.
 *
 *     npm run bench                      everything, less than six minutes
 *     npm run bench -- --small           a quick look, less than thirty seconds
 *     npm run bench -- --only http       one of: operations, http, wake, live-objects, many-objects
 *     npm run bench -- --write           and keep the table in docs/benchmarks.md
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { workerdVersion } from '../conformance/workerd.ts';
import { benchLiveObjects, benchManyObjects } from './crowds.ts';
import { benchHttp } from './http.ts';
import { benchOperations } from './operations.ts';
import { markdownOf } from './report.ts';
import type { Result } from './result.ts';
import { type Server, startServers } from './servers.ts';
import { benchWake } from './wake.ts';

type Bench = (servers: readonly [Server, Server], small: boolean, directory: string) => Promise<Result[]>;

const benches: Readonly<Record<string, Bench>> = {
  operations: benchOperations,
  http: benchHttp,
  wake: benchWake,
  'live-objects': benchLiveObjects,
  'many-objects': (_servers, small, directory) => benchManyObjects(directory, small),
};

const { values: options } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
if (options.only !== undefined && benches[options.only] === undefined) {
  throw new TypeError(`--only takes one of ${Object.keys(benches).join(', ')}: ${options.only}`);
}

async function runBenches(directory: string): Promise<Result[]> {
  const servers = await startServers(directory);
  const results: Result[] = [];
  try {
    for (const [name, bench] of Object.entries(benches)) {
      if (options.only !== undefined && options.only !== name) continue;
      console.error(`${name} …`);
      results.push(...(await bench(servers, options.small, directory)));
    }
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
  }
  return results;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
let results: Result[];
try {
  results = await runBenches(directory);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

const command = ['npm run bench', ...(options.small ? ['-- --small'] : [])].join(' ');
const markdown = markdownOf(results, { workerdVersion: workerdVersion(import.meta.dirname), command });
console.log(markdown);
if (options.write) {
  const docs = join(import.meta.dirname, '..', 'docs');
  mkdirSync(docs, { recursive: true });
  writeFileSync(join(docs, 'benchmarks.md'), markdown);
}
