/** The module `cloudflare:sockets` for a Worker: TCP connections as two streams. */
import { connect as connectTcp, isIP, type Socket as TcpSocket } from 'node:net';
import { Readable } from 'node:stream';
import { types } from 'node:util';
import { connect as connectTls } from 'node:tls';
import { currentOwner } from '#sockets';

export interface SocketAddress {
  readonly hostname: string;
  readonly port: number;
}

export interface SocketOptions {
  readonly secureTransport?: 'off' | 'on' | 'starttls';
  readonly allowHalfOpen?: boolean;
}

export interface SocketInfo {
  readonly remoteAddress: string | undefined;
  readonly localAddress: string | undefined;
}

/** Opens a connection. Written data passes the output gate of the object that writes. */
export function connect(address: string | SocketAddress, options: SocketOptions = {}): Socket {
  const secureTransport = readSecureTransport(options);
  const { hostname, port } = readAddress(address);
  const allowHalfOpen = options.allowHalfOpen ?? false;
  const open = (): TcpSocket =>
    secureTransport === 'on'
      ? connectTls({ host: hostname, port, ...nameOf(hostname), ALPNProtocols: ['http/1.1'] })
      : connectTcp({ host: hostname, port, allowHalfOpen });
  return new Socket(open, { hostname, secureTransport });
}

export function readSecureTransport({
  secureTransport = 'off',
}: SocketOptions): NonNullable<SocketOptions['secureTransport']> {
  if (['off', 'on', 'starttls'].includes(secureTransport)) return secureTransport;
  throw new TypeError(`Unsupported value in secureTransport socket option: ${String(secureTransport)}`);
}

export function readAddress(address: string | SocketAddress): SocketAddress {
  return typeof address === 'object' ? address : parseAddress(String(address));
}

export function formatAddress({ hostname, port }: SocketAddress): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** The server name in the TLS handshake: a name, never an address. */
function nameOf(hostname: string): { readonly servername?: string } {
  return isIP(hostname) === 0 ? { servername: hostname } : {};
}

function parseAddress(text: string): SocketAddress {
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d+)$/.exec(text);
  if (match === null) {
    throw new TypeError(
      /:\d*$/.test(text) ? 'Specified address could not be parsed.' : 'Specified address is missing port.',
    );
  }
  return { hostname: match[1] ?? match[2]!, port: Number(match[3]) };
}

interface SocketParts {
  readonly hostname: string;
  readonly secureTransport: 'off' | 'on' | 'starttls';
}

export class Socket {
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly writable: WritableStream<unknown>;
  readonly opened: Promise<SocketInfo>;
  readonly closed: Promise<void>;
  readonly secureTransport: 'off' | 'on' | 'starttls';
  readonly upgraded = false;
  readonly #parts: SocketParts;
  readonly #tcp: TcpSocket;
  #isHandedOver = false;

  constructor(open: () => TcpSocket, parts: SocketParts) {
    const tcp = open();
    const owner = currentOwner();
    this.#parts = parts;
    this.#tcp = tcp;
    this.secureTransport = parts.secureTransport;
    this.opened = opening(tcp, parts.secureTransport === 'on' ? 'secureConnect' : 'connect');
    this.closed = closing(tcp);
    for (const promise of [this.opened, this.closed]) promise.catch(() => {});
    this.readable = Readable.toWeb(tcp, { type: 'bytes' } as object) as ReadableStream<
      Uint8Array<ArrayBuffer>
    >;
    this.writable = new WritableStream({
      write: (chunk) =>
        new Promise<void>((resolve, reject) => {
          const bytes = toBytes(chunk);
          owner.say(() => tcp.write(bytes, (error) => (error ? reject(error) : resolve())));
        }),
      close: () => new Promise<void>((resolve) => void tcp.end(() => resolve())),
      abort: () => void tcp.destroy(),
    });
  }

  close(): Promise<void> {
    if (!this.#isHandedOver) this.#tcp.destroySoon();
    return this.closed;
  }

  /** The same connection, encrypted from now on; this socket can no longer be used. */
  startTls(): Socket {
    if (this.secureTransport !== 'starttls') {
      throw new TypeError(
        'The `secureTransport` socket option must be set to `starttls` for startTls to be used.',
      );
    }
    if (this.#isHandedOver) throw new TypeError('Cannot call startTls() multiple times on the same socket.');
    this.#isHandedOver = true;
    const { hostname } = this.#parts;
    const socket = this.#tcp;
    return new Socket(() => connectTls({ socket, ...nameOf(hostname) }), {
      hostname,
      secureTransport: 'on',
    });
  }
}

async function opening(tcp: TcpSocket, event: 'connect' | 'secureConnect'): Promise<SocketInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  tcp.once(event, () => resolve());
  tcp.once('error', (error) =>
    reject(new Error('proxy request failed, cannot connect to the specified address', { cause: error })),
  );
  await promise;
  const show = (hostname: string | undefined, port: number | undefined): string | undefined =>
    hostname === undefined ? undefined : formatAddress({ hostname, port: port! });
  return {
    remoteAddress: show(tcp.remoteAddress, tcp.remotePort),
    localAddress: show(tcp.localAddress, tcp.localPort),
  };
}

function closing(tcp: TcpSocket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  tcp.on('error', (error) =>
    reject(
      tcp.connecting || tcp.remoteAddress === undefined
        ? new Error('proxy request failed, cannot connect to the specified address', { cause: error })
        : error,
    ),
  );
  tcp.once('close', () => resolve());
  return promise;
}

function toBytes(chunk: unknown): Uint8Array {
  if (ArrayBuffer.isView(chunk))
    return new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength).slice();
  if (types.isAnyArrayBuffer(chunk)) return new Uint8Array(chunk).slice();
  throw new TypeError('This WritableStream only supports writing byte types.');
}
