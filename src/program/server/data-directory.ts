/**
 * The data directory, identified by a file: `gatehouse.json`, which has a checksum and a copy. Nothing is written to a
 * directory with other content, such as one named by mistake, or the objects of `gatehouse dev`.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '#base';
import {
  isHalfRestored,
  isPartOfDecidingFile,
  makeDirectory,
  readDecidingFile,
  realFileSystem as fs,
  writeDecidingFile,
} from '#files';

const markFile = 'gatehouse.json';
const formatVersion = 1;

/** Remains of a first start that was killed while it wrote the file; the second form is that of version 0.1.0. */
function isUnfinishedMark(name: string): boolean {
  return isPartOfDecidingFile(name, markFile) || /^gatehouse\.json\.[0-9a-f]{16}\.tmp$/.test(name);
}

/** A host of a cluster stores nothing permanent in it. */
type DirectoryContent = 'control plane' | 'edge' | 'Worker' | 'cluster host';

interface Mark {
  readonly holds: unknown;
  readonly format: unknown;
}

/** Creates the directory if it does not exist. `warn` receives problems of its mark that were repaired. */
export function claimDataDirectory(
  directory: string,
  holds: DirectoryContent,
  warn: (message: string) => void = () => {},
): void {
  const status = statSync(directory, { throwIfNoEntry: false });
  if (status === undefined) makeDirectory(directory);
  else if (!status.isDirectory()) throw createForeignError(directory, 'is not a directory');
  const found = readMark(directory);
  if (found !== undefined) {
    checkMark(directory, found.mark, holds);
    if (found.flaw !== undefined) mendMark(directory, { ...found, flaw: found.flaw }, warn);
    return;
  }
  const first = readdirSync(directory).find((name) => !isUnfinishedMark(name));
  if (first !== undefined) {
    throw createForeignError(directory, `has other content (${first}, and no ${markFile})`);
  }
  markDataDirectory(directory, holds);
}

/** Whether it contains a complete directory of this program. */
export function isMarked(directory: string): boolean {
  return existsSync(join(directory, markFile));
}

export function markDataDirectory(directory: string, holds: DirectoryContent): void {
  writeDecidingFile(fs, join(directory, markFile), { holds, format: formatVersion });
}

/** Undefined if there is none. */
function readMark(directory: string): { readonly mark: Mark; readonly flaw: string | undefined } | undefined {
  const found = readDecidingFile(fs, join(directory, markFile), {
    keys: ['holds', 'format'],
    parse: parseMark,
  });
  if (found.state === 'absent') return undefined;
  if (found.state === 'whole') return { mark: found.value, flaw: found.flaw };
  throw new StartError(
    `cannot open ${directory}, its content is unknown: ${found.reason}. Put back ${markFile} from a backup, or choose another directory with --data`,
  );
}

/** The mark of a newer version may have additional fields. */
function parseMark(value: object): Mark | undefined {
  const { holds, format } = value as Partial<Mark>;
  return holds === undefined || format === undefined ? undefined : { holds, format };
}

/** A full disk does not prevent a start: the next one tries again. */
function mendMark(
  directory: string,
  { mark, flaw }: { readonly mark: Mark; readonly flaw: string },
  warn: (message: string) => void,
): void {
  try {
    writeDecidingFile(fs, join(directory, markFile), mark);
    warn(`${flaw}: rewritten`);
  } catch (error) {
    warn(`${flaw}, and it cannot be rewritten: ${(error as Error).message}`);
  }
}

/**
 * Throws unless the directory exists and has this content, or, for no content, is empty; then it is created if it is
 * missing.
 */
export function checkDataDirectory(directory: string, holds: DirectoryContent | 'nothing'): void {
  if (holds === 'nothing') {
    if (!existsSync(directory)) return makeDirectory(directory);
    if (readdirSync(directory).length === 0) return;
    throw new StartError(`${directory} is not empty: choose a directory that does not exist`);
  }
  const found = readMark(directory);
  if (found === undefined)
    throw new StartError(
      `there is no data of gatehouse serve in ${directory}: choose the directory with --data`,
    );
  checkMark(directory, found.mark, holds);
}

function checkMark(directory: string, { holds, format }: Mark, expected: DirectoryContent): void {
  if (isHalfRestored(directory)) {
    throw new StartError(
      `a restore into ${directory} did not finish: repeat it, or choose another directory with --data`,
    );
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
      `${directory} belongs to a host of a cluster, which stores everything in its database: start it with --cluster, or choose another directory with --data`,
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
