import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionFacts } from './exchange.ts';

export function readConnectionFacts(socket: Socket): ConnectionFacts {
  const { remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const tls =
    socket instanceof TLSSocket
      ? { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name }
      : undefined;
  return { clientPort: remotePort, serverAddress: localAddress, serverPort: localPort, tls };
}
