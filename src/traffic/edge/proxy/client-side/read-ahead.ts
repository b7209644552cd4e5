/** Reads the first bytes of a connection before its protocol handler does. */
import type { Socket } from 'node:net';

/**
 * `take` is called with all bytes received so far and returns how many of them it consumed; undefined if it needs more.
 * The rest is put back, and then `then` is called. It is not called if the client disconnects first.
 */
export function readAhead(
  socket: Socket,
  take: (bytes: Buffer) => number | undefined,
  then: () => void = () => {},
): void {
  const pieces: Buffer[] = [];
  const onReadable = (): void => {
    for (let bytes: unknown = socket.read(); bytes !== null; bytes = socket.read())
      pieces.push(bytes as Buffer);
    if (pieces.length === 0) return;
    const all = Buffer.concat(pieces);
    const used = take(all);
    if (used === undefined) return;
    socket.off('readable', onReadable);
    if (used < all.length) socket.unshift(all.subarray(used));
    then();
  };
  socket.on('readable', onReadable);
  // Bytes that another reader put back are not announced again.
  onReadable();
}
