/** New credentials for an owner who has lost theirs: whoever may write to the data directory owns its content. */
import { Control } from '#control';
import { existsSync } from 'node:fs';
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
  const control = await Control.open({ directory, bootstrap: { accountName: '', email: '' }, onError });
  try {
    return await control.renewOwner();
  } finally {
    await control.close();
  }
}
