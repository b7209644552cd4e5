/** An origin on a raw socket: it records every byte and splits them into requests with its own parser. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Origin } from '../../../src/traffic/edge/wire/exchange.ts';

export interface SeenRequest {
  readonly line: string;
  /** Lower-case names. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export type Reply = (request: SeenRequest, socket: Socket) => void;

export const okReply: Reply = (request, socket) => {
  const body = request.line.startsWith('HEAD') ? '' : 'ok';
  socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${body}`);
};

export class RawOrigin implements AsyncDisposable {
  readonly #server: Server;
  readonly sockets = new Set<Socket>();
  readonly requests: SeenRequest[] = [];
  /** Every byte since the last reset, as a binary string, and the part that is not a whole request. */
  bytes = '';
  unfinished = '';
  connections = 0;
  reply: Reply = okReply;
  /** Called on connections, before anything is read. */
  onConnection: (socket: Socket) => void = () => {};

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => this.#serve(socket));
  }

  static async listen(reply: Reply = okReply): Promise<RawOrigin> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = new RawOrigin(server);
    origin.reply = reply;
    return origin;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get origin(): Origin {
    return { scheme: 'http', host: '127.0.0.1', port: this.port };
  }

  reset(): void {
    this.requests.length = 0;
    this.bytes = '';
    this.unfinished = '';
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.sockets.add(socket);
    let text = '';
    socket.on('error', () => {});
    socket.on('close', () => {
      this.sockets.delete(socket);
      this.unfinished += text;
    });
    socket.on('data', (piece: Buffer) => {
      this.bytes += piece.toString('latin1');
      text += piece.toString('latin1');
      for (let cut = cutRequest(text); cut !== undefined; cut = cutRequest(text)) {
        text = text.slice(cut.length);
        this.requests.push(cut.request);
        this.reply(cut.request, socket);
      }
    });
    this.onConnection(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }
}

/** The first whole request; throws for bytes that the proxy must never send. */
function cutRequest(text: string): { request: SeenRequest; length: number } | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line, ...lines] = text.slice(0, end).split('\r\n');
  if (!/^[A-Z0-9_-]+ [!-~]+ HTTP\/1\.1$/.test(line!)) throw new Error(`the origin got the line ${line}`);
  const headers = lines.map((field) => {
    // oxlint-disable-next-line no-control-regex
    const match = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+): ([^\0-\x08\n-\x1f\x7f]*)$/.exec(field);
    if (match === null) throw new Error(`the origin got the field ${JSON.stringify(field)}`);
    return [match[1]!.toLowerCase(), match[2]!] as const;
  });
  const all = (name: string): string[] =>
    headers.filter(([other]) => other === name).map(([, value]) => value);
  const lengths = all('content-length');
  const codings = all('transfer-encoding');
  if (lengths.length + codings.length > 1)
    throw new Error(`the origin got two framings: ${text.slice(0, end)}`);
  if (all('host').length !== 1) throw new Error(`the origin got another number of hosts than one`);
  const start = end + 4;
  if (codings.length === 0) {
    const length = Number(lengths[0] ?? 0);
    if (text.length < start + length) return undefined;
    return {
      request: { line: line!, headers, body: text.slice(start, start + length) },
      length: start + length,
    };
  }
  if (codings[0] !== 'chunked') throw new Error(`the origin got the coding ${codings[0]}`);
  return cutChunks(text, start, line!, headers);
}

function cutChunks(
  text: string,
  start: number,
  line: string,
  headers: SeenRequest['headers'],
): { request: SeenRequest; length: number } | undefined {
  let body = '';
  for (let at = start; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = text.slice(at, lineEnd);
    if (!/^[0-9a-f]+$/.test(size)) throw new Error(`the origin got the chunk size ${JSON.stringify(size)}`);
    const length = Number.parseInt(size, 16);
    const dataEnd = lineEnd + 2 + length;
    if (text.length < dataEnd + 2) return undefined;
    if (text.slice(dataEnd, dataEnd + 2) !== '\r\n')
      throw new Error('the origin got a chunk of another length');
    body += text.slice(lineEnd + 2, dataEnd);
    at = dataEnd + 2;
    if (length === 0) return { request: { line, headers, body }, length: at };
  }
}
