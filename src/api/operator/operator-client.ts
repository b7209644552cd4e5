/** Clients of the operator door: of the process that has a directory open, and of handlers in this process. */
import { connectPrivately, socketNames } from '#listeners';
import { Client, fetchFrom } from '#client';
import type { OperatorOperations } from '#contract';
import { readHolder } from './directory/read-holder.ts';
import { fetchThrough } from './door/fetch-through.ts';
import { OperatorApi } from './door/operator-api.ts';
import { OperatorError } from './error.ts';
import { protocolVersion } from './limits.ts';
import type { OperatorHandlers } from './operator-handlers.ts';

export type OperatorClient = Client<OperatorOperations>;

export interface OperatorAccess extends AsyncDisposable {
  readonly directory: string;
  readonly client: OperatorClient;
  /** Whether another process has the directory open and answers. */
  readonly isLive: boolean;
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
      `the server on ${directory} has another version: use the gatehouse command that it was started with, or stop it`,
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
