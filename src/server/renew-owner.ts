/** New credentials for an owner who has lost theirs: whoever may write to the data directory owns its content. */
import { existsSync } from 'node:fs';
import { createLog } from '#base';
import { Control } from '#control';
import { listLogDirectories } from '#hosts';
import { claimDataDirectory, StartError } from './data-directory.ts';

export async function renewOwner(
  directory: string,
): Promise<{ readonly email: string; readonly key: string; readonly token: string }> {
  if (!existsSync(directory))
    throw new StartError(`${directory} does not exist: choose the data directory with --data`);
  claimDataDirectory(directory, 'control plane');
  const onError = (error: unknown): never => {
    throw error;
  };
  // Nothing is moved for it: with as many hosts as the directory has.
  const count = listLogDirectories(directory).length;
  const log = createLog({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
  const control = await Control.open({
    directory,
    bootstrap: { accountName: '', email: '' },
    hosts: count === 1 ? undefined : { count, log },
    onError,
  });
  try {
    return await control.renewOwner();
  } finally {
    await control.close();
  }
}
