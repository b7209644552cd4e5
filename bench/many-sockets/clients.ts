/** Clients of many sockets, in a process of their own: bare connections, so that they take little memory. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export type ToClients =
  | {
      readonly kind: 'connect';
      readonly url: string;
      readonly count: number;
      readonly socketsPerRoom: number;
    }
  | { readonly kind: 'wake'; readonly indexes: readonly number[] };

export interface FromClients {
  readonly problem?: string;
}

const atOnce = 50;
const sockets: Socket[] = [];

process.on('message', (message: ToClients) => {
  const done = message.kind === 'connect' ? connectAll(message) : wakeAll(message.indexes);
  done.then(
    () => process.send!({} satisfies FromClients),
    (error: unknown) => process.send!({ problem: String(error) } satisfies FromClients),
  );
});
process.once('disconnect', () => process.exit());

async function connectAll({ url, count, socketsPerRoom }: ToClients & { kind: 'connect' }): Promise<void> {
  const all = sockets.length + count;
  while (sockets.length < all) {
    const batch = Array.from({ length: Math.min(atOnce, all - sockets.length) }, (_, offset) =>
      open(new URL(url), Math.floor((sockets.length + offset) / socketsPerRoom)),
    );
    sockets.push(...(await Promise.all(batch)));
  }
}

async function open({ hostname, port, host }: URL, room: number): Promise<Socket> {
  const socket = connect(Number(port), hostname);
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /?room=${room} HTTP/1.1\r\nhost: ${host}\r\nconnection: upgrade\r\nupgrade: websocket\r\n` +
      `sec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  if (!head.toString('latin1').startsWith('HTTP/1.1 101 ')) throw new Error(`refused: ${head.toString()}`);
  return socket;
}

async function wakeAll(indexes: readonly number[]): Promise<void> {
  for (const index of indexes) await wake(sockets[index]!, `woken ${index}`);
}

/** Texts are shorter than 126 bytes, so a frame has one byte for the length. */
async function wake(socket: Socket, text: string): Promise<void> {
  const payload = Buffer.from(text);
  const answered = once(socket, 'data');
  // A mask of zeros leaves the text as it is.
  socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  const [frame] = (await answered) as [Buffer];
  const heard = frame.subarray(2).toString();
  if (frame[0] !== 0x81 || heard !== text) throw new Error(`sent ${text}, heard ${heard}`);
}
