/**
 * The data directory, recognised by a file of its own: `gatehouse.json`. Nothing is written to a directory that contains
 * something else, whether that is a typing error or the objects of `gatehouse dev`.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createPrivateFile } from './private-file.ts';

/** Why the program does not start, for the person who starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly code = 'CANNOT_START';
}

const markFile = 'gatehouse.json';
const formatVersion = 1;

type Content = 'control plane' | 'edge' | 'Worker';

/** Creates the directory if it does not exist. */
export function claimDataDirectory(directory: string, holds: Content): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status === undefined) makeDirectory(directory);
  else if (!status.isDirectory()) throw createForeignError(directory, 'is not a directory');
  const written = readMark(directory);
  if (written !== undefined) return checkMark(directory, written, holds);
  const [first] = readdirSync(directory);
  if (first !== undefined) {
    throw createForeignError(directory, `contains something else (${first}, and no ${markFile})`);
  }
  const mark = { holds, format: formatVersion };
  createPrivateFile(join(directory, markFile), `${JSON.stringify(mark)}\n`);
}

/** One level at a time: Node's recursive mkdir never returns where the system refuses with ENOENT, as /proc does. */
export function makeDirectory(directory: string): void {
  const parent = dirname(directory);
  if (parent !== directory && !existsSync(parent)) makeDirectory(parent);
  mkdirSync(directory, { mode: 0o700 });
}

function readMark(directory: string): string | undefined {
  try {
    return readFileSync(join(directory, markFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function checkMark(directory: string, written: string, expected: Content): void {
  let format: unknown;
  let holds: unknown;
  try {
    ({ format, holds } = JSON.parse(written) as { format: unknown; holds: unknown });
  } catch {
    throw createForeignError(directory, `has a ${markFile} that cannot be read`);
  }
  if (format !== formatVersion) {
    throw createForeignError(
      directory,
      `was written by another version: its format is ${JSON.stringify(format)}, this one reads ${formatVersion}`,
    );
  }
  if (holds !== expected)
    throw createForeignError(
      directory,
      expected === 'Worker' ? 'does not belong to a Worker' : `does not belong to the ${expected}`,
    );
}

function createForeignError(directory: string, reason: string): StartError {
  return new StartError(`${directory} ${reason}: choose another directory with --data`);
}
