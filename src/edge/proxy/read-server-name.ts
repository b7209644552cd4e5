/** Reads the name that a TLS client asks for off its connection, and puts everything back for the handshake. */
import type { Socket } from 'node:net';
import { isHelloComplete, readHelloName } from '../wire/client-hello.ts';

/** `onName` is not called if the client leaves before. */
export function readServerName(socket: Socket, onName: (name: string | undefined) => void): void {
  const pieces: Buffer[] = [];
  const onReadable = (): void => {
    for (let bytes: unknown = socket.read(); bytes !== null; bytes = socket.read())
      pieces.push(bytes as Buffer);
    const all = Buffer.concat(pieces);
    if (!isHelloComplete(all)) return;
    socket.off('readable', onReadable);
    socket.unshift(all);
    onName(readHelloName(all));
  };
  socket.on('readable', onReadable);
}
