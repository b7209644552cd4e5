/**
 * The sender of a request, and how it arrived: what the listener itself observes, and which claims of others it trusts.
 * A Worker always finds the address of the client in the header `cf-connecting-ip`.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type IpSet, parseIp } from '#addresses';
import { createCf } from './request-cf.ts';

export interface Visitor {
  readonly scheme: 'http' | 'https';
  readonly address: string;
  /** `request.cf`. */
  readonly cf: () => object;
  /** The name of the requested zone, if our edge knows it. */
  readonly zone?: string | undefined;
  /** The object that our edge addresses instead of the Worker. */
  readonly object?: AskedObject | undefined;
}

export interface AskedObject {
  readonly className: string;
  readonly name: string;
}

/** May change the headers of the request. */
export type ReadVisitor = (incoming: IncomingMessage) => Visitor;

/** The header in which our edge passes its facts about a client: JSON. */
const cfHeader = 'gatehouse-cf';
const zoneHeader = 'gatehouse-zone';

/** For development: the header is trusted from every client, and unknown facts about a client are invented. */
export const readLocalVisitor: ReadVisitor = (incoming) => {
  const { headers } = incoming;
  const claimed = headers['cf-connecting-ip'];
  const address = typeof claimed === 'string' ? claimed : readPeer(incoming);
  if (address !== '') headers['cf-connecting-ip'] = address;
  return { scheme: readScheme(incoming), address, cf: () => createCf(incoming) };
};

/** For a public listener: only proxies of these networks are trusted. */
export function readVisitorBehind(proxies: IpSet): ReadVisitor {
  return (incoming) => {
    const { headers } = incoming;
    const peer = readPeer(incoming);
    const peerIp = parseIp(peer);
    const isTrusted = peerIp !== undefined && proxies.hasIp(peerIp);
    const address = isTrusted ? (readClaimedAddress(headers) ?? peer) : peer;
    const scheme = isTrusted ? readForwardedScheme(headers) : undefined;
    // Claims that a client makes in the name of a proxy are not trusted.
    if (!isTrusted) dropClaims(headers);
    headers['cf-connecting-ip'] = address;
    return { scheme: scheme ?? readScheme(incoming), address, cf: () => readKnownCf(incoming) };
  };
}

/** For a listener that only our edge can reach. */
export const readEdgeVisitor: ReadVisitor = (incoming) => {
  const { headers } = incoming;
  const said = headers[cfHeader];
  delete headers[cfHeader];
  const told = headers[zoneHeader];
  delete headers[zoneHeader];
  return {
    ...(typeof told === 'string' ? readZone(told) : {}),
    scheme: readForwardedScheme(headers) ?? 'http',
    address: String(headers['cf-connecting-ip'] ?? ''),
    cf: () => (typeof said === 'string' ? (JSON.parse(said) as object) : {}),
  };
};

/** The name of a zone, after which the edge may name an object. */
function readZone(told: string): Pick<Visitor, 'zone' | 'object'> {
  if (!told.includes(' ')) return { zone: told };
  const [zone, className, name] = told.split(' ') as [string, string, string];
  return {
    zone,
    object: { className: decodeURIComponent(className), name: Buffer.from(name, 'base64url').toString() },
  };
}

/** An IPv4 address on an IPv6 socket is written as IPv4. */
function readPeer({ socket }: IncomingMessage): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

function readScheme({ socket }: IncomingMessage): 'http' | 'https' {
  return (socket as Partial<TLSSocket>).encrypted === true ? 'https' : 'http';
}

function readForwardedScheme(headers: IncomingHttpHeaders): 'http' | 'https' | undefined {
  const scheme = headers['x-forwarded-proto'];
  return scheme === 'https' || scheme === 'http' ? scheme : undefined;
}

/** The claim of the nearest proxy: the address that connected to it. */
function readClaimedAddress(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['cf-connecting-ip'];
  const forwarded = headers['x-forwarded-for'];
  const claimed =
    typeof own === 'string'
      ? own
      : String(forwarded ?? '')
          .split(',')
          .at(-1)!;
  return parseIp(claimed.trim()) === undefined ? undefined : claimed.trim();
}

function dropClaims(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) {
    if (name.startsWith('cf-') || name === cfHeader) delete headers[name];
  }
}

/** The facts that a listener knows about a connection, without a location. */
function readKnownCf({ headers, httpVersion, socket }: IncomingMessage): object {
  const tls = socket as Partial<TLSSocket>;
  return {
    clientAcceptEncoding: headers['accept-encoding'] ?? '',
    httpProtocol: `HTTP/${httpVersion}`,
    tlsVersion: tls.getProtocol?.() ?? '',
    tlsCipher: tls.getCipher?.().standardName ?? '',
  };
}
