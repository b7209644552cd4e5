/** Sockets that a Worker's code opens itself, with `new WebSocket(url)` or a `fetch` that requests an upgrade. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Transport } from '../transport.ts';
import { NetworkTransport } from './network-transport.ts';
import { offeredExtension, readAnswer } from './deflate.ts';
import { acceptValue } from './handshake.ts';

export interface SocketTarget {
  readonly url: URL;
  readonly protocols: readonly string[];
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** The arguments of `new WebSocket`, validated, or the error for them. */
export function checkSocketUrl(text: string, protocols: unknown): SocketTarget {
  const url = URL.parse(text);
  if (url === null) throw refuseUrl('The url is invalid.');
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') throw refuseUrl('The url scheme must be ws or wss.');
  if (url.hash !== '' || text.endsWith('#')) throw refuseUrl('The url fragment must be empty.');
  const list =
    protocols === undefined ? [] : (Array.isArray(protocols) ? protocols : [protocols]).map(String);
  if (!list.every((each) => token.test(each))) {
    throw refuseUrl(
      Array.isArray(protocols)
        ? 'One of the protocol header tokens is invalid.'
        : 'The protocol header token is invalid.',
    );
  }
  if (new Set(list.map((each) => each.toLowerCase())).size < list.length) {
    throw refuseUrl('The protocols header cannot have repeating values.');
  }
  return { url, protocols: list };
}

function refuseUrl(text: string): DOMException {
  return new DOMException(`WebSocket Constructor: ${text}`, 'SyntaxError');
}

export async function openSocket({ url, protocols }: SocketTarget): Promise<Transport> {
  const headers: Record<string, string> =
    protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') };
  const target = new URL(url);
  target.protocol = url.protocol === 'ws:' ? 'http:' : 'https:';
  const answer = await requestUpgrade(target, headers, undefined);
  if (answer.kind === 'refused') {
    answer.incoming.destroy();
    throw new Error(`the server answered with the status ${answer.incoming.statusCode}`);
  }
  const { protocol } = answer.connection;
  if (protocol !== '' && !protocols.includes(protocol)) {
    answer.connection.cut();
    throw new Error(`the server chose a protocol that was not asked for: ${protocol}`);
  }
  return answer.connection;
}

/** The response of `fetch`, with the end of the socket if the server has accepted the upgrade. */
export interface FetchedUpgrade {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly transport: Transport | undefined;
}

export async function fetchUpgrade(request: Request): Promise<FetchedUpgrade> {
  const url = new URL(request.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError(`Fetch API cannot load: ${request.url}`);
  }
  const answer = await requestUpgrade(url, Object.fromEntries(request.headers), request.signal);
  const { incoming } = answer;
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  }
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  if (answer.kind === 'accepted') {
    return { status, statusText, headers, body: null, transport: answer.connection };
  }
  const isBodiless = status === 204 || status === 205 || status === 304;
  const body = isBodiless ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>);
  return { status, statusText, headers, body, transport: undefined };
}

type HandshakeAnswer =
  | { readonly kind: 'accepted'; readonly incoming: IncomingMessage; readonly connection: NetworkTransport }
  | { readonly kind: 'refused'; readonly incoming: IncomingMessage };

/** Set by the handshake, whatever the caller has copied from another request. */
const ownHeaders = new Set([
  'connection',
  'upgrade',
  'host',
  'content-length',
  'transfer-encoding',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
]);

async function requestUpgrade(
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | undefined,
): Promise<HandshakeAnswer> {
  const key = randomBytes(16).toString('base64');
  const passed = Object.entries(headers).filter(([name]) => !ownHeaders.has(name));
  // Loaded with the first socket: most processes with objects open none.
  const { request: open } = await (url.protocol === 'https:' ? import('node:https') : import('node:http'));
  const outgoing = open(url, {
    agent: false,
    ...(signal === undefined ? {} : { signal }),
    headers: {
      ...Object.fromEntries(passed),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': key,
      'sec-websocket-version': '13',
      'sec-websocket-extensions': offeredExtension,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<HandshakeAnswer>();
  outgoing.on('error', reject);
  outgoing.on('response', (incoming) => resolve({ kind: 'refused', incoming }));
  outgoing.on('upgrade', (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.pause();
    try {
      resolve({ kind: 'accepted', incoming, connection: connectionOf(incoming, socket, head, key) });
    } catch (error) {
      socket.destroy();
      reject(error);
    }
  });
  outgoing.end();
  return await promise;
}

function connectionOf(
  { headers }: IncomingMessage,
  socket: Socket,
  head: Buffer,
  key: string,
): NetworkTransport {
  if (
    headers.upgrade?.toLowerCase() !== 'websocket' ||
    headers['sec-websocket-accept'] !== acceptValue(key)
  ) {
    throw new Error('the server does not answer the handshake of the WebSocket');
  }
  const negotiated = readAnswer(headers['sec-websocket-extensions']);
  const protocol = headers['sec-websocket-protocol'] ?? '';
  return new NetworkTransport({ socket, head, isServer: false, negotiated, protocol });
}
