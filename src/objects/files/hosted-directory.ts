/** A directory whose objects live in several processes has this file, and a directory for each of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const hostsFile = 'hosts.json';

/** A runtime in one process would start an empty journal beside those of the hosts. */
export function refuseHostedDirectory(directory: string): void {
  if (!existsSync(join(directory, hostsFile))) return;
  throw Object.assign(
    new Error(
      `cannot open ${directory} in one process: its objects are in several hosts; open it with createHosts(), or call arrangeForOneProcess() first`,
    ),
    { code: 'HOSTS_MISMATCH' },
  );
}
