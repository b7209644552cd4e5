/** Reads the first bytes of a connection, before those who speak on it get them. */
import type { Socket } from 'node:net';

/**
 * `take` is called with everything that has come, and answers how much of it is used up; undefined if more has to come.
 * The rest is put back, and `then` is called. It is not called if the client leaves before.
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
  // What was put back by another reader is not announced again.
  onReadable();
}
