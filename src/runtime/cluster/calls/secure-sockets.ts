/**
 * Sockets between the hosts of a cluster. Both ends know a secret from the database (TLS with a pre-shared key), so there
 * are no certificates to look after: a client that does not know it gets no answer, and what is said cannot be read, now or
 * later (ephemeral keys). The caller says which host it means; one that has come to the same address since is refused.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type Server, type TLSSocket, connect, createServer } from 'node:tls';
import { startOwn } from '#base';
import { handshakeMsMax } from '../limits.ts';
import type { LeaseClock } from '../lease-clock.ts';

/** With a pre-shared key, ephemeral keys and authenticated encryption, OpenSSL has this one. */
const protocol = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** `secretOf` answers the secret by which this host goes under an id; undefined if it does not. */
export function createSecureServer(secretOf: (id: string) => Buffer | undefined): Server {
  return createServer({
    ...protocol,
    noDelay: true,
    handshakeTimeout: handshakeMsMax,
    pskCallback: (_socket, id) => secretOf(id) ?? null,
  });
}

export async function connectSecurely(
  { host, port }: { readonly host: string; readonly port: number },
  { id, secret, clock }: { readonly id: string; readonly secret: Buffer; readonly clock: LeaseClock },
): Promise<TLSSocket> {
  // Looked up before: in the process of a Worker, only what begins at once counts as a connection of the program.
  const { address } = await lookup(host);
  const socket = startOwn(() =>
    connect({
      ...protocol,
      host: address,
      port,
      pskCallback: () => ({ psk: secret, identity: id }),
      // The secret is what it shows: it has no certificate.
      checkServerIdentity: () => undefined,
    }),
  );
  const timer = clock.setTimer(handshakeMsMax, () =>
    socket.destroy(new Error('the other host took too long to answer')),
  );
  try {
    await once(socket, 'secureConnect');
    socket.setNoDelay(true);
    // What is wrong with it from now on, its end tells as well.
    socket.on('error', () => {});
    return socket;
  } catch (error) {
    socket.on('error', () => {});
    socket.destroy();
    throw error;
  } finally {
    timer.cancel();
  }
}
