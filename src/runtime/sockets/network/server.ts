/** Completes a client's handshake with the answer of a handler, and joins the two. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { socketSettings } from '../settings.ts';
import type { Transport } from '../transport.ts';
import { bridge } from './bridge.ts';
import { NetworkTransport } from './network-transport.ts';
import { acceptOffer } from './deflate.ts';
import { acceptValue } from './handshake.ts';

export interface AcceptedUpgrade {
  readonly incoming: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
  readonly headers: Headers;
  /** The end that the handler has returned. */
  readonly transport: Transport;
}

/** The response for a client that cannot have a WebSocket. */
interface UpgradeRefusal {
  readonly status: number;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Set here, whatever the handler returns. */
const ownHeaders = new Set([
  'connection',
  'upgrade',
  'content-length',
  'transfer-encoding',
  'sec-websocket-accept',
  'sec-websocket-extensions',
]);

/** Why this client cannot have a WebSocket; undefined if it can. */
export function checkUpgrade({ headers }: IncomingMessage): UpgradeRefusal | undefined {
  if (headers['sec-websocket-key'] === undefined) {
    return { status: 400, message: 'ERROR: Missing Sec-WebSocket-Key', headers: {} };
  }
  if (headers['sec-websocket-version'] !== '13') {
    return {
      status: 426,
      message: 'ERROR: The requested WebSocket version is not supported.',
      headers: { 'Sec-WebSocket-Version': '13' },
    };
  }
  return undefined;
}

export function acceptUpgrade({ incoming, socket, head, headers, transport }: AcceptedUpgrade): void {
  const { 'sec-websocket-key': key, 'sec-websocket-extensions': offers } = incoming.headers;
  const negotiated = socketSettings().compresses ? acceptOffer(offers) : undefined;
  const lines = [
    'HTTP/1.1 101 Switching Protocols',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Accept: ${acceptValue(key!)}`,
  ];
  if (negotiated !== undefined) lines.push(`Sec-WebSocket-Extensions: ${negotiated.header}`);
  for (const [name, value] of headers) if (!ownHeaders.has(name)) lines.push(`${name}: ${value}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const protocol = headers.get('sec-websocket-protocol') ?? '';
  bridge(new NetworkTransport({ socket, head, isServer: true, negotiated, protocol }), transport);
}
