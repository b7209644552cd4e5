/** The pool: each test file gets a thread. */
import type { PoolOptions, PoolRunnerInitializer } from 'vitest/node';
import { PoolThread } from './pool-thread.ts';
import { type CloudflareTestOptions, Runs } from './runs.ts';

export function cloudflarePool(options: CloudflareTestOptions): PoolRunnerInitializer {
  const runs = new Runs(options);
  return {
    name: 'gatehouse',
    createPoolWorker: (poolOptions: PoolOptions) => new PoolThread(poolOptions, runs),
  };
}
