/**
 * The address of the client. A peer that is not a trusted proxy is the client, whatever it claims. Of the addresses
 * that trusted proxies report, the last one that is not itself a trusted proxy counts: everything to its left is
 * unverified.
 */
import { type Ip, type IpSet, maskAddress, parseIp, removeMapping } from '#addresses';
import { splitItems } from './field-lines.ts';
import { forwardedHopsMax } from './limits.ts';

export interface Peer {
  readonly address: string;
  /** The key under which the connections and requests of one client are counted. */
  readonly network: string;
  readonly isTrusted: boolean;
  /** Whether it is a Worker on this host. */
  readonly isWorker?: boolean;
}

/** The Workers on this host: a Worker states the client that it asks for. */
export const workerPeer: Peer = { address: '127.0.0.1', network: 'workers', isTrusted: true, isWorker: true };

export function toPeer(remoteAddress: string, trusted: IpSet): Peer {
  // A link-local address contains the name of its interface.
  const ip = parseIp(remoteAddress.split('%', 1)[0]!);
  if (ip === undefined) return { address: remoteAddress, network: remoteAddress, isTrusted: false };
  const plain = removeMapping(ip);
  const address = plain.toString();
  return { address, network: toClientNetwork(plain) ?? address, isTrusted: trusted.hasIp(plain) };
}

/** A client with an IPv6 address usually owns its whole 64-bit network. Undefined for IPv4. */
function toClientNetwork(ip: Ip): string | undefined {
  return ip.family === 6 ? `${maskAddress(ip, 64).toString()}/64` : undefined;
}

/**
 * The network of the client that `findClientAddress` found; undefined if that is a trusted proxy that reports no client.
 */
export function findClientNetwork(peer: Peer, clientAddress: string): string | undefined {
  if (clientAddress === peer.address) return peer.isTrusted ? undefined : peer.network;
  const ip = clientAddress.includes(':') ? parseIp(clientAddress) : undefined;
  return (ip && toClientNetwork(ip)) ?? clientAddress;
}

/** `forwardedFor` is the value of `X-Forwarded-For` that a trusted peer sent. */
export function findClientAddress(peer: Peer, forwardedFor: string | undefined, trusted: IpSet): string {
  if (!peer.isTrusted || forwardedFor === undefined) return peer.address;
  let client: Ip | undefined;
  for (const item of splitItems(forwardedFor).slice(-forwardedHopsMax).toReversed()) {
    const ip = parseIp(item);
    if (ip === undefined) break;
    client = removeMapping(ip);
    if (!trusted.hasIp(client)) break;
  }
  return client === undefined ? peer.address : client.toString();
}
