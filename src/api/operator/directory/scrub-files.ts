/**
 * Checks the files of a data directory that no runtime checks: small important ones, and those named by their content.
 * All others have no checksum: they are counted, so that a check does not appear to cover everything.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  holdsFiles,
  isSecretKey,
  isSecretText,
  readDecidingFile,
  readSecretFile,
  realFileSystem,
  type SecretFile,
} from '#files';
import { findEntryKind } from '../directory-contents.ts';

interface FileDamage {
  readonly file: string;
  readonly offset: number;
  readonly problem: string;
}

/** Folders of files that are named by the SHA-256 of their content. */
const digestFolders = ['worker-code', 'worker-assets'];

const digestName = /^[0-9a-f]{64}$/;

const secretFiles: Readonly<Record<string, SecretFile['isSecret']>> = {
  'certificates.key': isSecretKey,
  'edge.secret': isSecretText,
};

const markName = 'gatehouse.json';

/** With the keys that files of older versions have, which have no checksum. */
const decidingFiles = {
  [markName]: ['holds', 'format'],
  'hosts.json': ['hosts', 'first', 'unfinished', 'former', 'made'],
};

/** The files of one directory, without the directories in it. A nested directory has a mark. */
export async function* scrubFiles(
  directory: string,
  { isInner }: { readonly isInner: boolean },
): AsyncGenerator<FileDamage> {
  for (const [name, keys] of Object.entries(decidingFiles)) {
    const file = join(directory, name);
    const found = readDecidingFile(realFileSystem, file, { keys, parse: (value) => value });
    const flaw = found.state === 'damaged' ? found.reason : found.state === 'whole' ? found.flaw : undefined;
    if (isInner && name === markName && found.state === 'absent')
      yield { file, offset: 0, problem: 'the file is missing: nothing is served from this directory' };
    if (flaw !== undefined) yield { file, offset: 0, problem: flaw };
  }
  for (const [name, isSecret] of Object.entries(secretFiles)) {
    const file = join(directory, name);
    const found = readSecretFile({ path: file, isSecret });
    const problem =
      found.state === 'damaged' ? found.reason : found.state === 'whole' ? found.flaw : undefined;
    if (problem !== undefined) yield { file, offset: 0, problem };
  }
  for (const folder of digestFolders.map((name) => join(directory, name)))
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const file = join(folder, name);
      if (!digestName.test(name)) continue;
      const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => error);
      // Deleted meanwhile.
      if (bytes instanceof Error && bytes.code === 'ENOENT') continue;
      if (bytes instanceof Error) yield { file, offset: 0, problem: bytes.message };
      else if (hash('sha256', bytes, 'hex') !== name)
        yield { file, offset: 0, problem: 'its content does not match its name' };
    }
}

/** The data directories in one: of the stores, and of each Worker. */
export function listInnerDirectories(directory: string): string[] {
  const inner = readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    if (findEntryKind(name) === 'directory') return [path];
    if (findEntryKind(name) === 'directories') return readdirSync(path).map((each) => join(path, each));
    return [];
  });
  return inner.filter((path) => statSync(path).isDirectory());
}

/** Folders with files that have no checksums, and those that the program does not create. */
export function listUnchecked(directory: string): string[] {
  return readdirSync(directory).flatMap((name) => {
    const path = join(directory, name);
    const kind = findEntryKind(name);
    const isChecked =
      ['objects', 'logs', 'directory', 'directories', 'passing'].includes(kind ?? '') ||
      digestFolders.includes(name);
    return !isChecked && statSync(path).isDirectory() && holdsFiles(path) ? [path] : [];
  });
}
