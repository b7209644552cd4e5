import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ConnectionFacts } from '../exchange.ts';
import type { ProxiedAddresses } from './proxy-header.ts';

export function readConnectionFacts(socket: Socket, addresses?: ProxiedAddresses): ConnectionFacts {
  const { remotePort = 0, localAddress = '', localPort = 0 } = socket;
  const tls =
    socket instanceof TLSSocket
      ? { version: socket.getProtocol() ?? '', cipher: socket.getCipher().name }
      : undefined;
  const { clientPort, serverAddress, serverPort } = addresses ?? {
    clientPort: remotePort,
    serverAddress: localAddress,
    serverPort: localPort,
  };
  return { clientPort, serverAddress, serverPort, tls };
}
