import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/**
 * For the environment of a child process: its start is mostly compilation, so it uses the cache of this process, if
 * there is one.
 */
export function shareCompileCache(): Readonly<Record<string, string>> {
  const directory = getCompileCacheDir();
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: dirname(directory) };
}
