/** What Vitest makes the threads of a project with, and what it is going to be: so the first one can be made before. */
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { isDeepStrictEqual } from 'node:util';
import type { PoolOptions, TestProject } from 'vitest/node';

export type ThreadOptions = Pick<PoolOptions, 'distPath' | 'env' | 'execArgv'>;

/** Whether a thread that was made with the one can do what the other asks for. */
export function isSame(a: ThreadOptions, b: ThreadOptions): boolean {
  const plain = ({ distPath, env, execArgv }: ThreadOptions) => ({ distPath, env: { ...env }, execArgv });
  return isDeepStrictEqual(plain(a), plain(b));
}

/**
 * As Vitest puts them together when it makes a pool. If something has changed by then, such as the environment by a
 * `globalSetup`, they are not the same, and another thread is made.
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
