/** Reads the first message of a TLS client from its connection, and puts everything back for the handshake. */
import type { Socket } from 'node:net';
import { type Hello, isHelloComplete, readHello } from '../wire/connection/client-hello.ts';
import { readAhead } from './client-side/read-ahead.ts';

/** `onHello` is not called if the client disconnects first. */
export function readClientHello(socket: Socket, onHello: (hello: Hello) => void): void {
  let hello: Hello;
  readAhead(
    socket,
    (bytes) => {
      if (!isHelloComplete(bytes)) return undefined;
      hello = readHello(bytes);
      return 0;
    },
    () => onHello(hello),
  );
}
