/**
 * The directory that everything is kept in, told from any other by a file of its own: `gatehouse.json`. Nothing is written to a
 * directory that holds something else, be it a typing mistake or the objects of `gatehouse dev`.
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

type Content = 'control plane' | 'edge';

/** Makes the directory if it is not there. */
export function claimDataDirectory(directory: string, holds: Content): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status === undefined) makeDirectory(directory);
  else if (!status.isDirectory()) throw foreign(directory, 'is not a directory');
  const written = readMark(directory);
  if (written !== undefined) return checkMark(directory, written, holds);
  const [first] = readdirSync(directory);
  if (first !== undefined) {
    throw foreign(directory, `holds something else (${first}, and no ${markFile})`);
  }
  const mark = { holds, format: formatVersion };
  createPrivateFile(join(directory, markFile), `${JSON.stringify(mark)}\n`);
}

/** One level at a time: Node's own way of making several never ends where the system refuses with ENOENT, as /proc does. */
function makeDirectory(directory: string): void {
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
    throw foreign(directory, `has a ${markFile} that cannot be read`);
  }
  if (format !== formatVersion) {
    throw foreign(
      directory,
      `was written by another version: its format is ${JSON.stringify(format)}, this one reads ${formatVersion}`,
    );
  }
  if (holds !== expected) throw foreign(directory, `is not that of the ${expected}`);
}

function foreign(directory: string, reason: string): StartError {
  return new StartError(`${directory} ${reason}: name another directory with --data`);
}
