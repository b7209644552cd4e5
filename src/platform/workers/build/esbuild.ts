/**
 * The bundler. It is a separate program that answers through a pipe, loaded and started at the first build, so programs
 * without builds have no cost. It ends when no build is open, or with this process.
 */
import type * as Esbuild from 'esbuild';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExecutable, programRoot, bundlerPrefix, readOwnFile } from '#base';
import { ConfigError } from '../config/config-error.ts';

let loading: Promise<typeof Esbuild> | undefined;
let users = 0;

/** Access to the bundler, until it is disposed. */
export async function useEsbuild(): Promise<{ readonly esbuild: typeof Esbuild } & AsyncDisposable> {
  users++;
  loading ??= isExecutable ? unpackEsbuild() : import('esbuild');
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
      `the bundler esbuild cannot be loaded: ${(error as Error).message}; ${isExecutable ? 'set TMPDIR to a folder whose files may be run' : 'install the package again with its optional dependencies'}`,
      { cause: error },
    );
  }
}

let unpacked: string | undefined;

/** For a process that builds nothing more. */
export function forgetBundler(): void {
  if (unpacked !== undefined) rmSync(unpacked, { recursive: true, force: true });
  unpacked = undefined;
}

/** The single executable contains it. It is written where only this user can write, until this process ends. */
async function unpackEsbuild(): Promise<typeof Esbuild> {
  const folder = mkdtempSync(join(tmpdir(), bundlerPrefix));
  unpacked = folder;
  process.once('exit', forgetBundler);
  const file = join(folder, 'esbuild');
  writeFileSync(file, readOwnFile(new URL('esbuild', programRoot)), { mode: 0o700 });
  // The variable is read once, when the library is loaded.
  process.env['ESBUILD_BINARY_PATH'] = file;
  try {
    return await import('esbuild');
  } finally {
    delete process.env['ESBUILD_BINARY_PATH'];
  }
}
