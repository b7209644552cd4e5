/** The pool: each test file gets a thread. */
import type { PoolOptions, PoolRunnerInitializer } from 'vitest/node';
import { PoolThread } from './pool-thread.ts';
import { type CloudflareTestOptions, Runs } from './runs.ts';
import { SpareThread } from './spare-thread.ts';

export function cloudflarePool(options: CloudflareTestOptions): PoolRunnerInitializer {
  const runs = new Runs(options);
  const spare = new SpareThread(runs);
  return {
    name: 'gatehouse',
    createPoolWorker: (poolOptions: PoolOptions) => new PoolThread(poolOptions, runs, spare),
  };
}
