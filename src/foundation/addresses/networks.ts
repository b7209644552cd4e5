/** Sets of networks from their usual spelling. */
import { Ip } from './ip.ts';
import { parseNetwork } from './ip-network.ts';
import { IpSet } from './ip-set.ts';

/** Parses `10.0.0.0/8`, `fd00::/8` or one address. Throws a `TypeError` for anything else. */
export function parseNetworkSet(networks: readonly string[]): IpSet {
  return new IpSet(networks.map(requireNetwork));
}

export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

function requireNetwork(text: string): { first: Ip; last: Ip } {
  const network = parseNetwork(text);
  if (network === undefined)
    throw new TypeError(`a network is an address, optionally with a prefix length: ${text}`);
  return network;
}

/**
 * The IPv4 address that an IPv6 address represents on a dual-stack socket (`::ffff:192.0.2.1`), otherwise the same address.
 */
export function removeMapping(ip: Ip): Ip {
  const isMapped = ip.family === 6 && ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff;
  return isMapped ? new Ip(4, ip.w3) : ip;
}
