/** Converts a request of a framework to the form that the firewall judges. */
import type { IpSet } from '#addresses';
import { findClientAddress, toPeer } from '../wire/client-address.ts';
import type { ConnectionFacts, HeaderField, IncomingRequest } from '../wire/exchange.ts';
import { parseAuthority } from '../wire/request/authority.ts';

/** Text is *binary strings*, one character per byte, as in Node. */
export interface IncomingHead {
  readonly method: string;
  /** Path and query, or the whole URL. */
  readonly target: string;
  readonly httpVersion: IncomingRequest['httpVersion'];
  readonly headers: readonly HeaderField[];
  /** The address of the peer: the client, or a proxy. Empty if unknown. */
  readonly peerAddress: string;
  /** Whether the connection is encrypted. */
  readonly isSecure: boolean;
  readonly connection?: ConnectionFacts;
  readonly receivedAtMs?: number;
  /** Undefined without a body. */
  readonly body: IncomingRequest['body'];
}

const unknownConnection: ConnectionFacts = {
  clientPort: 0,
  serverAddress: '',
  serverPort: 0,
  tls: undefined,
};

export function toIncomingRequest(head: IncomingHead, id: string, trusted: IpSet): IncomingRequest {
  const peer = toPeer(head.peerAddress, trusted);
  const forwardedFor = listValues(head.headers, 'x-forwarded-for');
  const [forwardedProto] = peer.isTrusted ? listValues(head.headers, 'x-forwarded-proto') : [];
  const [host = ''] = listValues(head.headers, 'host');
  return {
    id,
    method: head.method,
    target: toOriginForm(head.target),
    httpVersion: head.httpVersion,
    headers: head.headers,
    // The framework has accepted it: an invalid name is judged as it is.
    host: parseAuthority(host)?.host ?? host.toLowerCase(),
    clientAddress: findClientAddress(
      peer,
      forwardedFor.length === 0 ? undefined : forwardedFor.join(','),
      trusted,
    ),
    peerAddress: peer.address,
    isSecure: forwardedProto === undefined ? head.isSecure : forwardedProto.toLowerCase() === 'https',
    serverName: undefined,
    connection: head.connection ?? unknownConnection,
    receivedAtMs: head.receivedAtMs ?? Date.now(),
    body: head.body,
  };
}

export function listValues(headers: readonly HeaderField[], name: string): readonly string[] {
  return headers.flatMap(([other, value]) => (other.toLowerCase() === name ? [value] : []));
}

function toOriginForm(target: string): string {
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') || rest === '*' ? rest : `/${rest}`;
}
