/** The pool: each test file gets a thread. */
import type { PoolOptions, PoolRunnerInitializer, TestProject } from 'vitest/node';
import { PoolThread } from './pool-thread.ts';
import { type CloudflareTestOptions, Runs } from './runs.ts';
import { SpareThread } from './spare-thread.ts';

/** `project` is the one whose tests it runs, if it is known: its first thread is created at once. */
export function cloudflarePool(options: CloudflareTestOptions, project?: TestProject): PoolRunnerInitializer {
  const runs = new Runs(options);
  const spare = new SpareThread(runs);
  if (project !== undefined) spare.prepareFirst(project);
  return {
    name: 'gatehouse',
    createPoolWorker: (poolOptions: PoolOptions) => new PoolThread(poolOptions, runs, spare),
  };
}
