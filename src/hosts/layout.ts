/**
 * A data directory with hosts:
 *
 * ```
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

export function hostDirectory(directory: string, host: number): string {
  return join(directory, `host-${host}`);
}

/** Notes in a new directory how many hosts it has, and checks it in one that is in use. */
export function claimDirectory(directory: string, count: number): void {
  const file = join(directory, hostsFile);
  if (existsSync(file)) {
    const { hosts } = JSON.parse(readFileSync(file, 'utf8')) as { readonly hosts: number };
    if (hosts === count) return;
    throw new HostsMismatchError(
      `cannot open ${directory} with ${count} hosts: its objects are in ${hosts}; set the number of hosts to ${hosts}`,
    );
  }
  if (existsSync(join(directory, 'journal'))) {
    throw new HostsMismatchError(
      `cannot open ${directory} with hosts: it was made by a runtime in one process; use createRuntime(), or another directory`,
    );
  }
  mkdirSync(directory, { recursive: true });
  const unfinished = `${file}.new`;
  writeFileSync(unfinished, `${JSON.stringify({ hosts: count })}\n`, { flush: true });
  renameSync(unfinished, file);
  realFileSystem.fsyncDirectorySync(directory);
}
