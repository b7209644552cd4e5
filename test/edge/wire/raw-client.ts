/** A client on a raw socket. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface SeenResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** How long anything may take before a test gives up. */
const patienceMs = 60_000;

export class RawClient {
  readonly socket: Socket;
  /** Everything received, as a binary string. */
  received = '';
  /** This many of its first characters have been read as responses. */
  #read = 0;
  isClosed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (piece: Buffer) => (this.received += piece.toString('latin1')));
    socket.on('error', () => {});
    socket.on('end', () => (this.isClosed = true));
    socket.on('close', () => (this.isClosed = true));
  }

  /** `from` is a loopback address, to act as another client. */
  static async connect(port: number, from = '127.0.0.1'): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Wraps a connected socket, as of TLS. */
  static over(socket: Socket): RawClient {
    return new RawClient(socket);
  }

  send(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** The next response; undefined when the connection closed instead. */
  async response(method = 'GET'): Promise<SeenResponse | undefined> {
    let cut = cutResponse(this.received.slice(this.#read), method, this.isClosed);
    await until(() => {
      cut = cutResponse(this.received.slice(this.#read), method, this.isClosed);
      return cut !== undefined || this.isClosed;
    }, this.socket);
    if (cut === undefined) return undefined;
    this.#read += cut.length;
    return cut.response;
  }

  async closed(): Promise<void> {
    await until(() => this.isClosed, this.socket);
  }

  /** The data received after the last response that was read. */
  get unread(): string {
    return this.received.slice(this.#read);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

/** Waits until the condition holds, checking after each event of the socket. */
async function until(isSo: () => boolean, socket: Socket): Promise<void> {
  if (isSo()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (isSo()) resolve();
  };
  const timer = setTimeout(resolve, patienceMs);
  for (const event of ['data', 'end', 'close']) socket.on(event, look);
  await promise;
  clearTimeout(timer);
  for (const event of ['data', 'end', 'close']) socket.off(event, look);
  if (!isSo()) throw new Error('nothing came in time');
}

function cutResponse(
  text: string,
  method: string,
  isClosed: boolean,
): { response: SeenResponse; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line, ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 ([0-9]{3}) /.exec(line!)?.[1]);
  const headers = new Map(
    lines.map((field) => {
      const colon = field.indexOf(': ');
      return [field.slice(0, colon).toLowerCase(), field.slice(colon + 2)] as const;
    }),
  );
  const start = end + 4;
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) {
    return { response: { status, headers, body: '' }, length: start };
  }
  if (headers.get('transfer-encoding') === 'chunked') {
    const last = text.indexOf('0\r\n\r\n', start);
    if (last === -1) return undefined;
    const body = text.slice(start, last).replaceAll(/[0-9a-f]+\r\n([^\r]*)\r\n/g, '$1');
    return { response: { status, headers, body }, length: last + 5 };
  }
  const declared = headers.get('content-length');
  if (declared === undefined) {
    return isClosed
      ? { response: { status, headers, body: text.slice(start) }, length: text.length }
      : undefined;
  }
  const length = Number(declared);
  if (text.length < start + length) return undefined;
  return { response: { status, headers, body: text.slice(start, start + length) }, length: start + length };
}
