/**
 * IP addresses, networks and sets of them, and which addresses an origin may have.
 *
 * ```ts
 * const networks = parseNetworkSet(['192.0.2.0/24', '2001:db8::/32']);
 * ```
 */
export { compareIp, isEqualIp, formatIp, Ip, parseIp } from './addresses/ip.ts';
export { findLastAddress, type Network, maskAddress, parseNetwork } from './addresses/ip-network.ts';
export { IpSet } from './addresses/ip-set.ts';
export { isNetwork, parseNetworkSet, removeMapping } from './addresses/networks.ts';
export { readPublishedList } from './addresses/published-list.ts';
