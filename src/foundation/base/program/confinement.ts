/**
 * What a process that is confined by Node's permission model needs while it loads, and gives up before it runs user
 * code: the bundler, which is a separate program, and the compile cache, whose code other processes run.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareCompileCache } from '../compile-cache.ts';
import { isExecutable } from './own-program.ts';

/** Where the single executable unpacks the bundler. */
export const bundlerPrefix = 'gatehouse-esbuild-';

interface Permission {
  drop(scope: 'fs.read' | 'fs.write' | 'child', path?: string): void;
}

/** The paths that it reads and writes. Equal in the process and in its parent. */
export function listLoadingPaths(): readonly string[] {
  const { NODE_COMPILE_CACHE: cache } = shareCompileCache();
  return [
    ...(cache === undefined ? [] : [cache]),
    ...(isExecutable ? [`${join(tmpdir(), bundlerPrefix)}*`] : []),
  ];
}

/** Does nothing in an unconfined process. */
export function endLoading(): void {
  const { permission } = process as { readonly permission?: Permission };
  if (permission === undefined) return;
  permission.drop('child');
  for (const path of listLoadingPaths()) {
    permission.drop('fs.read', path);
    permission.drop('fs.write', path);
  }
}
