/**
 * Who sent a request, and how it came: what the listener sees itself, and what it believes of what others say. The header
 * `cf-connecting-ip` is always the address of the client when a Worker reads it.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { type IpSet, parseIp } from '#base';
import { createCf } from './request-cf.ts';

export interface Visitor {
  readonly scheme: 'http' | 'https';
  readonly address: string;
  /** `request.cf`. */
  readonly cf: () => object;
  /** The name of the zone that it asked, if our edge knows. */
  readonly zone?: string | undefined;
  /** The object that our edge asks about somebody, in place of the Worker. */
  readonly object?: AskedObject | undefined;
}

export interface AskedObject {
  readonly className: string;
  readonly name: string;
}

/** May change the headers of the request. */
export type ReadVisitor = (incoming: IncomingMessage) => Visitor;

/** The header in which our edge says what it knows about a client: JSON. */
const cfHeader = 'gatehouse-cf';
const zoneHeader = 'gatehouse-zone';

/** For development: the header is trusted from every client, and what is not known about a client is made up. */
export const readLocalVisitor: ReadVisitor = (incoming) => {
  const { headers } = incoming;
  const claimed = headers['cf-connecting-ip'];
  const address = typeof claimed === 'string' ? claimed : readPeer(incoming);
  if (address !== '') headers['cf-connecting-ip'] = address;
  return { scheme: readScheme(incoming), address, cf: () => createCf(incoming) };
};

/** For a listener that anybody can reach: only proxies of these networks are believed. */
export function readVisitorBehind(proxies: IpSet): ReadVisitor {
  return (incoming) => {
    const { headers } = incoming;
    const peer = readPeer(incoming);
    const peerIp = parseIp(peer);
    const isTrusted = peerIp !== undefined && proxies.hasIp(peerIp);
    const address = isTrusted ? (readClaimedAddress(headers) ?? peer) : peer;
    const scheme = isTrusted ? readForwardedScheme(headers) : undefined;
    // What a client says about itself in the name of a proxy is no fact.
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

/** The name of a zone, behind which the edge may name an object. */
function readZone(told: string): Pick<Visitor, 'zone' | 'object'> {
  if (!told.includes(' ')) return { zone: told };
  const [zone, className, name] = told.split(' ') as [string, string, string];
  return {
    zone,
    object: { className: decodeURIComponent(className), name: Buffer.from(name, 'base64url').toString() },
  };
}

/** An address of IPv4 that came over a socket of IPv6 is written as the former. */
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

/** What the nearest proxy has said: the address that connected to it. */
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

/** What a listener knows about a connection: nothing about places. */
function readKnownCf({ headers, httpVersion, socket }: IncomingMessage): object {
  const tls = socket as Partial<TLSSocket>;
  return {
    clientAcceptEncoding: headers['accept-encoding'] ?? '',
    httpProtocol: `HTTP/${httpVersion}`,
    tlsVersion: tls.getProtocol?.() ?? '',
    tlsCipher: tls.getCipher?.().standardName ?? '',
  };
}
