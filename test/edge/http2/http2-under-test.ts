/** An HTTP/2 proxy in front of one origin on loopback, and clients for it: one with raw frames, and that of Node. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  type ClientHttp2Session,
  type ClientSessionRequestOptions,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { connect as connectTls, createSecureContext, type TLSSocket } from 'node:tls';
import { clientPreface, FrameLog, type ReadFrame, settings } from '../../../src/traffic/http2/testing.ts';
import type { ProxyOptions, TlsOptions } from '../../../src/traffic/edge/proxy/serve-proxy.ts';
import { eventually } from '../../eventually.ts';
import { type ProxyUnderTest, proxyUnderTest } from '../wire/proxy-under-test.ts';

export const host = 'a.example';

function pem(kind: 'cert' | 'key'): string {
  return readFileSync(new URL(`../wire/testdata/${host}.${kind}.pem`, import.meta.url), 'utf8');
}

const ca = pem('cert');
/** Self-signed, for one name. */
export const context = createSecureContext({ cert: ca, key: pem('key') });

/** The second listener speaks HTTP/1.1 over TLS only. */
export function http2UnderTest(options: Partial<ProxyOptions> = {}): Promise<ProxyUnderTest> {
  const tls: TlsOptions = { certificateFor: () => context };
  return proxyUnderTest({
    listeners: [
      { port: 0, tls },
      { port: 0, tls: { ...tls, hasHttp2: () => false } },
    ],
    ...options,
  });
}

export async function connectSocket(
  port: number,
  { protocol = 'h2', servername = host }: { readonly protocol?: string; readonly servername?: string } = {},
): Promise<TLSSocket> {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername,
    ca,
    // The certificate is not one for the names of zones.
    checkServerIdentity: () => undefined,
    ALPNProtocols: [protocol],
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

/** Sends any frames, and reads every one. */
export class FrameClient implements Disposable {
  readonly socket: TLSSocket;
  readonly #log = new FrameLog();
  isClosed = false;

  private constructor(socket: TLSSocket) {
    this.socket = socket;
    socket.on('data', (bytes: Buffer) => this.#log.push(bytes));
    socket.on('end', () => (this.isClosed = true));
    socket.on('close', () => (this.isClosed = true));
  }

  /** With the preface, and settings. */
  static async connect(port: number, first: Buffer = settings(), servername = host): Promise<FrameClient> {
    const client = new FrameClient(await connectSocket(port, { servername }));
    client.send(clientPreface, first);
    return client;
  }

  get frames(): readonly ReadFrame[] {
    return this.#log.frames;
  }

  send(...frames: readonly Buffer[]): void {
    this.socket.write(Buffer.concat(frames));
  }

  /** The first frame that matches, now or later. */
  async frame(isWanted: (frame: ReadFrame) => boolean): Promise<ReadFrame> {
    await eventually(() => this.frames.some(isWanted) || this.isClosed);
    const found = this.frames.find(isWanted);
    if (found === undefined) throw new Error(`closed without the frame: ${this.#log.describe().join(', ')}`);
    return found;
  }

  /** The outcome of a stream: its status, or the code that ended it or the connection. */
  async outcome(streamId: number): Promise<string> {
    const found = await this.frame(
      ({ name, streamId: id }) =>
        name === 'goaway' || ((name === 'headers' || name === 'resetStream') && id === streamId),
    );
    if (found.name !== 'headers') return `${found.name} ${found.code}`;
    return found.fields!.find((field) => field.startsWith(':status'))!.slice(':status: '.length);
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

export interface Http2Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly hints: readonly Readonly<Record<string, string | string[] | undefined>>[];
}

/** The client of Node. */
export class NodeClient implements AsyncDisposable {
  readonly session: ClientHttp2Session;

  private constructor(session: ClientHttp2Session) {
    this.session = session;
  }

  static async connect(port: number): Promise<NodeClient> {
    const socket = await connectSocket(port);
    const session = connect(`https://${host}`, { createConnection: () => socket });
    session.on('error', () => {});
    await once(session, 'remoteSettings');
    return new NodeClient(session);
  }

  async send(
    headers: OutgoingHttpHeaders,
    body?: string | Buffer,
    options: ClientSessionRequestOptions = {},
  ): Promise<Http2Response> {
    const stream = this.session.request(headers, { endStream: body === undefined, ...options });
    const hints: Http2Response['hints'][number][] = [];
    stream.on('headers', (fields) => hints.push(fields as never));
    const pieces: Buffer[] = [];
    stream.on('data', (bytes: Buffer) => pieces.push(bytes));
    if (body !== undefined) stream.end(body);
    const [fields] = (await once(stream, 'response')) as [Record<string, string>];
    if (!stream.readableEnded) await once(stream, 'end');
    return {
      status: Number(fields[':status']),
      headers: fields,
      body: Buffer.concat(pieces).toString('latin1'),
      hints,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.session.destroy();
    if (!this.session.closed) await once(this.session, 'close');
  }
}
