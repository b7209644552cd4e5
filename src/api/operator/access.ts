/**
 * Access to a data directory from outside: through the process that has it open, or by opening it. The same handlers
 * answer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { isHalfRestored, returnToOwner } from '#files';
import { openRecorded } from '#hosts';
import { DirectoryLockedError } from '#objects';
import { createDirectoryHandlers } from './directory/operate-directory.ts';
import { OperatorError } from './error.ts';
import { connectRetryMs, connectTries } from './limits.ts';
import { answerHere, openLiveAccess, type OperatorAccess } from './operator-client.ts';

export interface AccessOptions {
  readonly directory: string;
  /**
   * If no process has the directory open: `look` opens it even if older files of the log are damaged or missing, to
   * save the rest.
   */
  readonly mode: 'look' | 'change';
}

export async function openAccess({ directory, mode }: AccessOptions): Promise<OperatorAccess> {
  if (isHalfRestored(directory)) {
    throw new OperatorError(
      `a restore into ${directory} did not finish: repeat it, or choose another directory with --data`,
    );
  }
  for (let tries = 1; ; tries++) {
    const live = await openLiveAccess(directory);
    if (live !== undefined) return live;
    try {
      return await openHere(directory, { salvage: mode === 'look' });
    } catch (error) {
      if (!(error instanceof DirectoryLockedError) || tries === connectTries) throw error;
      await delay(connectRetryMs);
    }
  }
}

async function openHere(
  directory: string,
  { salvage }: { readonly salvage: boolean },
): Promise<OperatorAccess> {
  const runtime = await openRecorded({ directory, salvage });
  const client = answerHere(createDirectoryHandlers({ directory, runtime }));
  const close = async (): Promise<void> => {
    await runtime.close();
    returnToOwner(directory);
  };
  return { directory, client, isLive: false, [Symbol.asyncDispose]: close };
}
