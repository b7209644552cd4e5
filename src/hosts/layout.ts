/**
 * A data directory with hosts:
 *
 * ```
 * <directory>/lock         held by the process that starts the hosts
 * <directory>/hosts.json   {"hosts": 2}, written before the first host starts
 * <directory>/host-0/      a directory as a runtime in one process has it, with a journal of its own
 * <directory>/host-1/
 * ```
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { realFileSystem } from '#base';
import { hostsFile } from '#objects';

/** A directory that was made for another number of processes. */
export class HostsMismatchError extends Error {
  override readonly name = 'HostsMismatchError';
  readonly code = 'HOSTS_MISMATCH';
}

/** Where the objects of a directory are. */
export interface Layout {
  readonly hosts: number;
}

/** Below the directory. */
export function folderOf(_layout: Layout, host: number): string {
  return `host-${host}`;
}

export function listFolders(layout: Layout): string[] {
  return Array.from({ length: layout.hosts }, (_, host) => folderOf(layout, host));
}

export function encodeLayout(layout: Layout): Uint8Array {
  return Buffer.from(`${JSON.stringify(layout)}\n`);
}

/** Undefined if the directory is new, or of one process. */
export function readLayout(directory: string): Layout | undefined {
  const file = join(directory, hostsFile);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Layout) : undefined;
}

/** Notes in a new directory how many hosts it has, and checks it in one that is in use. */
export function claimDirectory(directory: string, count: number): Layout {
  const present = readLayout(directory);
  if (present !== undefined) {
    if (present.hosts === count) return present;
    throw new HostsMismatchError(
      `cannot open ${directory} with ${count} hosts: its objects are in ${present.hosts}; set the number of hosts to ${present.hosts}`,
    );
  }
  if (existsSync(join(directory, 'journal'))) {
    throw new HostsMismatchError(
      `cannot open ${directory} with hosts: it was made by a runtime in one process; use createRuntime(), or another directory`,
    );
  }
  const layout: Layout = { hosts: count };
  writeLayout(directory, layout);
  return layout;
}

function writeLayout(directory: string, layout: Layout): void {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, hostsFile);
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, encodeLayout(layout), { flush: true });
  renameSync(unfinished, file);
  realFileSystem.fsyncDirectorySync(directory);
}
