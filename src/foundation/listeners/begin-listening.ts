import type { Server } from 'node:net';
import { startOwn } from '#work';
import { acceptQueueLength } from './accept-queue.ts';
import { keepAccepting } from './keep-accepting.ts';

/** Resolves when the server listens at a place that `server.listen` accepts; rejects when it cannot. */
export async function beginListening(server: Server, place: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  startOwn(() => server.listen(place, acceptQueueLength, resolve));
  await promise;
  server.off('error', reject);
  keepAccepting(server);
}
