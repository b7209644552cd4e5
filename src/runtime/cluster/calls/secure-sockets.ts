/**
 * Sockets between the hosts of a cluster. Both ends know a secret from the database (TLS with a pre-shared key), so no
 * certificates are needed: a client that does not know it gets no answer, and the traffic cannot be read, now or later
 * (ephemeral keys). The client names the host it means; another host that now has that address refuses.
 */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type Server, type TLSSocket, connect, createServer } from 'node:tls';
import { startOwn } from '#work';
import { handshakeMsMax } from '../limits.ts';
import type { LeaseClock } from '../lease-clock.ts';

/** The only cipher of OpenSSL with a pre-shared key, ephemeral keys and authenticated encryption. */
const protocol = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const;

/** `secretOf` returns the secret of this host under an id; undefined for an id that is not its own. */
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
  // Resolved first: in the process of a Worker, only a connection that starts at once counts as the program's own.
  const { address } = await lookup(host);
  const socket = startOwn(() =>
    connect({
      ...protocol,
      host: address,
      port,
      pskCallback: () => ({ psk: secret, identity: id }),
      // The secret authenticates the server: it has no certificate.
      checkServerIdentity: () => undefined,
    }),
  );
  const timer = clock.setTimer(handshakeMsMax, () =>
    socket.destroy(new Error('the other host took too long to answer')),
  );
  try {
    await once(socket, 'secureConnect');
    socket.setNoDelay(true);
    // The `close` event also reports later errors.
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
