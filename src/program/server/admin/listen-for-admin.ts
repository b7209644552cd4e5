/** The admin port of a program whose other listener belongs to clients: health and metrics for operators. */
import { type Log, waitForPredecessor } from '#base';
import type { ApiServer, ApiServerOptions } from '../api/api-server.ts';
import type { Config } from '../config/read-config.ts';
import { createListenError } from '../listening/cannot-listen.ts';
import { serveAdmin } from './admin-server.ts';

/** Undefined if it is off. */
export async function listenForAdmin(
  { settings }: Config,
  { answer, log }: { readonly answer: ApiServerOptions['answer']; readonly log: Log },
): Promise<ApiServer | undefined> {
  const { adminHost: host, adminPort: port } = settings;
  if (port === 'off') return undefined;
  const onError = (error: unknown, request: string): void =>
    log.error('a request failed', { request, error });
  try {
    return await waitForPredecessor(() => serveAdmin({ answer, host, port, onError }));
  } catch (error) {
    throw createListenError('adminPort', { host, port }, error as NodeJS.ErrnoException);
  }
}
