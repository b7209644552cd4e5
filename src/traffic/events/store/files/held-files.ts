/**
 * Keeps files while they are copied: each gets a second name in a separate folder, so that the store can drop its own
 * name at any time. Erasing a zone overwrites its blocks under both names.
 */
import { linkSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FileSystem } from '#files';

const linksPrefix = '.held-';

interface HeldEventFile {
  readonly name: string;
  readonly bytes: number;
  /** Changes with every change of the file's bytes. */
  readonly stamp: string;
  /** The readable path, relative to the directory of the store. */
  readonly source: string;
}

export interface HeldEventFiles extends Disposable {
  readonly files: readonly HeldEventFile[];
}

export function linkFiles(directory: string, paths: readonly string[]): HeldEventFiles {
  const links = mkdtempSync(join(directory, linksPrefix));
  const files = paths.map((path) => {
    const name = basename(path);
    linkSync(path, join(links, name));
    const { size, mtimeNs } = statSync(path, { bigint: true });
    return { name, bytes: Number(size), stamp: `${size}-${mtimeNs}`, source: `${basename(links)}/${name}` };
  });
  return { files, [Symbol.dispose]: () => rmSync(links, { recursive: true, force: true }) };
}

/** Removes the links of a process that was killed while it held them. */
export function removeLinks(fs: FileSystem, directory: string): void {
  for (const name of fs.readdirSync(directory)) {
    if (name.startsWith(linksPrefix)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}
