/**
 * How two hosts of a cluster make sure of each other before anything else is said: each proves that it knows the secret in
 * the database of the cluster, by a keyed hash of random bytes of both. What follows is not encrypted: hosts belong on a
 * network of their own.
 *
 * ```
 *   caller → "GHPEER01", 32 random bytes, the id of the host that is called (24 characters)
 *   called → 32 random bytes, proof (32)
 *   caller → proof (32)
 *   called → 1
 * ```
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { handshakeMsMax } from '../limits.ts';
import type { LeaseClock } from '../lease-clock.ts';

const magic = Buffer.from('GHPEER01');
const randomLength = 32;
const proofLength = 32;
const idLength = 24;
const accepted = Buffer.of(1);

class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
}

/** Resolves when the called host has proved itself and has accepted this one. */
export async function greetHost(
  socket: Socket,
  { id, secret, clock }: { readonly id: string; readonly secret: Buffer; readonly clock: LeaseClock },
): Promise<void> {
  const reader = new ExactReader(socket, clock);
  const mine = randomBytes(randomLength);
  const hello = Buffer.concat([magic, mine, Buffer.from(id, 'latin1')]);
  socket.write(hello);
  const theirs = await reader.read(randomLength);
  const proof = await reader.read(proofLength);
  const said = Buffer.concat([hello, theirs]);
  if (!timingSafeEqual(proof, prove(secret, 'called', said)))
    throw new HandshakeError('the other process does not know the secret of the cluster');
  socket.write(prove(secret, 'caller', said));
  await reader.read(accepted.length);
  reader.finish();
}

/** The same for the one that is called. */
export async function acceptHost(
  socket: Socket,
  { id, secret, clock }: { readonly id: string; readonly secret: Buffer; readonly clock: LeaseClock },
): Promise<void> {
  const reader = new ExactReader(socket, clock);
  const hello = await reader.read(magic.length + randomLength + idLength);
  if (!hello.subarray(0, magic.length).equals(magic))
    throw new HandshakeError('the other process is no host of a cluster');
  if (hello.toString('latin1', magic.length + randomLength) !== id)
    throw new HandshakeError('another host was meant, which was here before');
  const mine = randomBytes(randomLength);
  const said = Buffer.concat([hello, mine]);
  socket.write(Buffer.concat([mine, prove(secret, 'called', said)]));
  const proof = await reader.read(proofLength);
  if (!timingSafeEqual(proof, prove(secret, 'caller', said)))
    throw new HandshakeError('the other process does not know the secret of the cluster');
  socket.write(accepted);
  reader.finish();
}

function prove(secret: Buffer, role: string, said: Buffer): Buffer {
  return createHmac('sha256', secret).update(role).update(said).digest();
}

/** Reads that many bytes, or fails when the socket ends or is too slow; then leaves the socket to others. */
class ExactReader {
  readonly #socket: Socket;
  readonly #timer: { cancel(): void };

  constructor(socket: Socket, clock: LeaseClock) {
    this.#socket = socket;
    this.#timer = clock.setTimer(handshakeMsMax, () => socket.destroy());
    socket.pause();
  }

  async read(bytes: number): Promise<Buffer> {
    const socket = this.#socket;
    for (;;) {
      const read = socket.read(bytes) as Buffer | null;
      if (read?.length === bytes) return read;
      if (socket.readableEnded || socket.destroyed || read !== null) {
        this.#timer.cancel();
        throw new HandshakeError('the connection ended');
      }
      await new Promise<void>((resolve) => {
        const done = (): void => {
          for (const name of ['readable', 'end', 'close', 'error']) socket.off(name, done);
          resolve();
        };
        for (const name of ['readable', 'end', 'close', 'error']) socket.on(name, done);
      });
    }
  }

  finish(): void {
    this.#timer.cancel();
    this.#socket.removeAllListeners('readable');
  }
}
