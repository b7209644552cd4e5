/** A data directory from outside: through the process that has it open, or by opening it. The same handlers answer. */
import { setTimeout as delay } from 'node:timers/promises';
import { connectPrivately, isHalfRestored, returnToOwner, socketNames } from '#base';
import type { OperatorOperations } from '#contract';
import { Client, fetchFrom } from '#client';
import { openRecorded } from '#hosts';
import { DirectoryLockedError } from '#objects';
import { fetchThrough } from './door/fetch-through.ts';
import { OperatorApi } from './door/operator-api.ts';
import { OperatorError } from './error.ts';
import { connectRetryMs, connectTries, protocolVersion } from './limits.ts';
import { createDirectoryHandlers } from './directory/operate-directory.ts';
import { readHolder } from './directory/read-holder.ts';
import type { OperatorHandlers } from './operator-handlers.ts';

export type OperatorClient = Client<OperatorOperations>;

export interface OperatorAccess extends AsyncDisposable {
  readonly directory: string;
  readonly client: OperatorClient;
  /** Whether another process has the directory open and answers. */
  readonly isLive: boolean;
}

export interface AccessOptions {
  readonly directory: string;
  /**
   * Without a process that has the directory open: `look` opens it although older files of the log are damaged or
   * missing, to save what is left.
   */
  readonly mode: 'look' | 'change';
}

const url = 'http://gatehouse';

/** A client of the process that listens on the directory; undefined if none does. */
export async function connectOperator(directory: string): Promise<OperatorClient | undefined> {
  if (!(await isListening(directory))) return undefined;
  return new Client({ url, fetch: fetchThrough({ directory, name: socketNames.operator }) });
}

/** Through the process that has the directory open; undefined if there is none. */
export async function openLiveAccess(directory: string): Promise<OperatorAccess | undefined> {
  const client = await connectOperator(directory);
  if (client === undefined) return undefined;
  const { result } = await client.get('/');
  if (result.protocol !== protocolVersion) {
    throw new OperatorError(
      `the server on ${directory} is of another version: use the gatehouse command that it was started with, or stop it`,
    );
  }
  if (result.holder !== readHolder(directory))
    throw new OperatorError(
      `the process that listens on ${directory}/${socketNames.operator} does not have the directory open`,
    );
  return { directory, client, isLive: true, [Symbol.asyncDispose]: async () => {} };
}

async function isListening(directory: string): Promise<boolean> {
  const socket = await connectPrivately({ directory, name: socketNames.operator }).catch((error: Error) => {
    throw new OperatorError(
      `cannot connect to the server on ${directory}: ${error.message}; run this as the user of the server`,
      { cause: error },
    );
  });
  socket?.destroy();
  return socket !== undefined;
}

export async function openAccess({ directory, mode }: AccessOptions): Promise<OperatorAccess> {
  if (isHalfRestored(directory)) {
    throw new OperatorError(
      `a restore into ${directory} was not finished: repeat it, or choose another directory with --data`,
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

/** In this process: no other may have it open. */
export async function openHere(
  directory: string,
  { salvage = false }: { readonly salvage?: boolean } = {},
): Promise<OperatorAccess> {
  const runtime = await openRecorded({ directory, salvage });
  const client = answerHere(createDirectoryHandlers({ directory, runtime }));
  const close = async (): Promise<void> => {
    await runtime.close();
    returnToOwner(directory);
  };
  return { directory, client, isLive: false, [Symbol.asyncDispose]: close };
}

/** A client of handlers in this process. */
export function answerHere(handlers: Partial<OperatorHandlers>): OperatorClient {
  const api = new OperatorApi({
    handlers,
    onError: (error) => {
      throw error;
    },
  });
  return new Client({ url, fetch: fetchFrom((request) => api.answer(request)) });
}
