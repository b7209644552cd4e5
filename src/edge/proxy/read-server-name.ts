/** Reads the name that a TLS client asks for off its connection, and puts everything back for the handshake. */
import type { Socket } from 'node:net';
import { isHelloComplete, readHelloName } from '../wire/connection/client-hello.ts';
import { readAhead } from './client-side/read-ahead.ts';

/** `onName` is not called if the client leaves before. */
export function readServerName(socket: Socket, onName: (name: string | undefined) => void): void {
  let name: string | undefined;
  readAhead(
    socket,
    (bytes) => {
      if (!isHelloComplete(bytes)) return undefined;
      name = readHelloName(bytes);
      return 0;
    },
    () => onName(name),
  );
}
