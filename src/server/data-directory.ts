/**
 * The data directory, recognised by a file of its own: `gatehouse.json`. Nothing is written to a directory that contains
 * something else, whether that is a typing error or the objects of `gatehouse dev`.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, isHalfRestored, makeDirectory, readIfThere, StartError } from '#base';

const markFile = 'gatehouse.json';
const formatVersion = 1;

/** What a first start leaves that is killed while it writes the file: see `createPrivateFile`. */
const unfinishedMark = /^gatehouse\.json\.[0-9a-f]{16}\.tmp$/;

/** A host of a cluster has nothing in it that lasts. */
type Content = 'control plane' | 'edge' | 'Worker' | 'cluster host';

/** Creates the directory if it does not exist. */
export function claimDataDirectory(directory: string, holds: Content): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status === undefined) makeDirectory(directory);
  else if (!status.isDirectory()) throw createForeignError(directory, 'is not a directory');
  const written = readIfThere(join(directory, markFile));
  if (written !== undefined) return checkMark(directory, written, holds);
  const first = readdirSync(directory).find((name) => !unfinishedMark.test(name));
  if (first !== undefined) {
    throw createForeignError(directory, `contains something else (${first}, and no ${markFile})`);
  }
  markDataDirectory(directory, holds);
}

/** Whether it holds something of ours, and all of it. */
export function isMarked(directory: string): boolean {
  return existsSync(join(directory, markFile));
}

export function markDataDirectory(directory: string, holds: Content): void {
  const mark = { holds, format: formatVersion };
  createPrivateFile(join(directory, markFile), `${JSON.stringify(mark)}\n`);
}

/** Throws unless the directory exists and holds this, or, for nothing, is empty; then it is created if it is missing. */
export function checkDataDirectory(directory: string, holds: Content | 'nothing'): void {
  if (holds === 'nothing') {
    if (!existsSync(directory)) return makeDirectory(directory);
    if (readdirSync(directory).length === 0) return;
    throw new StartError(`${directory} is not empty: choose a directory that does not exist`);
  }
  const written = readIfThere(join(directory, markFile));
  if (written === undefined)
    throw new StartError(
      `there is no data of gatehouse serve in ${directory}: choose the directory with --data`,
    );
  checkMark(directory, written, holds);
}

function checkMark(directory: string, written: string, expected: Content): void {
  if (isHalfRestored(directory)) {
    throw new StartError(
      `a restore into ${directory} was not finished: repeat it, or choose another directory with --data`,
    );
  }
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
  if (holds === 'control plane' && expected === 'cluster host') {
    throw new StartError(
      `${directory} has data of its own, which a cluster does not serve: move it with gatehouse cluster import, or choose another directory with --data`,
    );
  }
  if (holds === 'cluster host' && expected === 'control plane') {
    throw new StartError(
      `${directory} is that of a host of a cluster, which keeps everything in its database: start it with --cluster, or choose another directory with --data`,
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
