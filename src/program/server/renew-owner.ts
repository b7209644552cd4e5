/**
 * New credentials for an owner who has lost theirs: an operator who may write to the data directory, or to the database of a
 * cluster, owns its content.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, type Log, StartError } from '#base';
import { Control, type ControlOptions } from '#control';
import { listLogDirectories } from '#hosts';
import { joinIdleCluster } from './cluster/open-both.ts';
import type { Config } from './config/read-config.ts';
import { claimDataDirectory } from './data-directory.ts';

interface Renewed {
  readonly email: string;
  readonly key: string;
  readonly token: string;
}

export async function renewOwner(config: Config): Promise<Renewed> {
  const { data: directory } = config.settings;
  const log = createLog({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
  const cluster = await joinIdleCluster(config, log);
  if (cluster === undefined) return await renewIn(findDirectory(directory, log));
  const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-owner-'));
  try {
    return await renewIn({ cluster, directory: scratch });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function findDirectory(directory: string, log: Log): Pick<ControlOptions, 'directory' | 'hosts'> {
  if (!existsSync(directory))
    throw new StartError(`${directory} does not exist: choose the data directory with --data`);
  claimDataDirectory(directory, 'control plane');
  // Opened with the directory's number of hosts, so that no objects are moved.
  const count = listLogDirectories(directory).length;
  return { directory, hosts: count === 1 ? undefined : { count, log } };
}

async function renewIn(place: Pick<ControlOptions, 'cluster' | 'directory' | 'hosts'>): Promise<Renewed> {
  const onError = (error: unknown): never => {
    throw error;
  };
  const control = await Control.open({ ...place, bootstrap: { accountName: '', email: '' }, onError });
  try {
    return await control.renewOwner();
  } finally {
    await control.close();
  }
}
