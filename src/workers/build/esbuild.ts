/**
 * The bundler. It is a program of its own that answers through a pipe, and it is loaded and started at the first build: who
 * builds nothing pays nothing. It ends when no build is open, or with this process.
 */
import type * as Esbuild from 'esbuild';
import { ConfigError } from '../config/config-error.ts';

let loading: Promise<typeof Esbuild> | undefined;
let users = 0;

/** Calls to the bundler, until it is disposed of. */
export async function useEsbuild(): Promise<{ readonly esbuild: typeof Esbuild } & AsyncDisposable> {
  users++;
  loading ??= import('esbuild');
  try {
    const esbuild = await loading;
    return {
      esbuild,
      async [Symbol.asyncDispose]() {
        if (--users === 0) await esbuild.stop();
      },
    };
  } catch (error) {
    users--;
    throw new ConfigError(
      `the bundler esbuild cannot be loaded: ${(error as Error).message}; install the package again with its optional dependencies`,
      { cause: error },
    );
  }
}
