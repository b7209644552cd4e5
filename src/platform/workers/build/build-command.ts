/** Runs the build command of a project (`build.command`), repeatedly only if its inputs have changed. */
import { exec } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuildCommand } from '../config/build/settings.ts';
import { ConfigError } from '../config/config-error.ts';
import { buildOutputBytesMax, unbundledFilesMax } from '../limits.ts';

const run = promisify(exec);

export class CommandRunner {
  /** The inputs of the last run: path, time and size of each file. */
  #read: string | undefined;

  /** `files` collects the paths to watch. */
  async run({ command, directory, reads }: BuildCommand, files: Set<string>): Promise<void> {
    const found = reads.flatMap((folder) => listFiles(folder));
    for (const { path } of found) files.add(path);
    const read = JSON.stringify(found);
    if (read === this.#read) return;
    try {
      await run(command, { cwd: directory, maxBuffer: buildOutputBytesMax });
      this.#read = read;
    } catch (error) {
      throw explainFailure(command, error as CommandFailure);
    }
  }
}

interface CommandFailure extends Error {
  readonly code?: number | string | null;
  readonly stdout?: string;
  readonly stderr?: string;
}

function explainFailure(command: string, failure: CommandFailure): ConfigError {
  const { code, message, stdout = '', stderr = '' } = failure;
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-20).join('\n');
  return new ConfigError(
    `build.command failed (${typeof code === 'number' ? `exit code ${code}` : message}): ${command}${said === '' ? '' : `\n${said}`}`,
    { cause: failure },
  );
}

function listFiles(folder: string): { readonly path: string; readonly stamp: string }[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .slice(0, unbundledFilesMax)
    .map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      const { mtimeMs, size } = statSync(path);
      return { path, stamp: `${mtimeMs} ${size}` };
    });
}
