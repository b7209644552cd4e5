/**
 * The options with which Vitest creates the threads of a project, predicted so that the first one can be created in
 * advance.
 */
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { isDeepStrictEqual } from 'node:util';
import type { PoolOptions, TestProject } from 'vitest/node';

export type ThreadOptions = Pick<PoolOptions, 'distPath' | 'env' | 'execArgv'>;

/** Whether a thread that was created with one can be used for the other. */
export function isSame(a: ThreadOptions, b: ThreadOptions): boolean {
  const plain = ({ distPath, env, execArgv }: ThreadOptions) => ({ distPath, env: { ...env }, execArgv });
  return isDeepStrictEqual(plain(a), plain(b));
}

/**
 * Combined as Vitest does when it creates a pool. If something has changed by then, such as the environment by a
 * `globalSetup`, the options differ, and another thread is created.
 */
export function foreseeOptions({ vitest, vite, config }: TestProject): ThreadOptions {
  const { distPath } = vitest;
  return {
    distPath,
    env: {
      ...process.env,
      TEST: 'true',
      VITEST: 'true',
      NODE_ENV: process.env['NODE_ENV'] || 'test',
      VITEST_MODE: vitest.config.watch ? 'WATCH' : 'RUN',
      FORCE_TTY: isatty(1) ? 'true' : '',
      ...vitest.config.env,
      ...config.env,
    },
    execArgv: [
      ...process.execArgv.filter((each) => /^--(?:cpu-prof|heap-prof|diagnostic-dir)/.test(each)),
      '--experimental-import-meta-resolve',
      '--require',
      resolve(distPath, '..', 'suppress-warnings.cjs'),
      ...listConditions(vite.config).flatMap((condition) => ['--conditions', condition]),
      ...config.execArgv,
    ],
  };
}

function listConditions({ ssr, isProduction }: TestProject['vite']['config']): string[] {
  const [mode, other] = isProduction ? ['production', 'development'] : ['development', 'production'];
  return [...new Set(ssr.resolve?.conditions ?? [])]
    .filter((condition) => condition !== other)
    .map((condition) => (condition === 'development|production' ? mode : condition));
}
