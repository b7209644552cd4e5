import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionFacts } from './exchange.ts';

/** Of the TLS handshake; undefined without TLS, and if the client sent none. */
export function findServerName(socket: Socket): string | undefined {
  return socket instanceof TLSSocket ? socket.servername || undefined : undefined;
}

export function readConnectionFacts(socket: Socket): ConnectionFacts {
  const { remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const tls =
    socket instanceof TLSSocket
      ? { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name }
      : undefined;
  return { clientPort: remotePort, serverAddress: localAddress, serverPort: localPort, tls };
}
