/**
 * Which addresses an origin may have. The user who configures a zone names its origin, and must not gain access through
 * the edge to what only the edge can reach.
 *
 * Loopback, private and other special networks need `allowPrivate`. Never allowed are the metadata services of clouds,
 * unassigned addresses (multicast, broadcast), and this program's own listeners. An address that embeds an IPv4 address
 * is checked as both.
 */
import { networkInterfaces } from 'node:os';
import { Ip, parseIp, parseNetworkSet, removeMapping } from '#addresses';

export interface ForbiddenEndpoint {
  /** `0.0.0.0` and `::` mean every address of this machine. */
  readonly address: string;
  readonly port: number;
}

/** Why an address may not be connected to. */
export type OriginObstacle = 'private' | 'metadata' | 'unassigned' | 'own listener';

export interface OriginRulesOptions {
  readonly allowPrivate?: boolean;
  readonly forbidden?: readonly ForbiddenEndpoint[];
  /** The names of Workers that can be an origin; undefined if they are unknown. */
  readonly workers?: readonly string[];
}

const metadataNames: ReadonlySet<string> = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.tencentyun.com',
]);

const metadata = parseNetworkSet([
  '169.254.169.254', // most clouds
  '169.254.169.253', // Amazon's resolver
  '169.254.170.2', // Amazon's container credentials
  '169.254.170.23',
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure's host
  '192.0.0.192', // Oracle
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::23',
  'fd20:ce::254', // Google
]);

const unassignedNetworks = parseNetworkSet(['224.0.0.0/4', '255.255.255.255', 'ff00::/8']);

const privateNetworks = parseNetworkSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '::/127', // unspecified and loopback
  '::ffff:0:0:0/96', // IPv4 translated
  '64:ff9b:1::/48', // NAT64 of a local network
  '100::/64',
  '100:0:0:1::/64',
  '2001::/32', // Teredo
  '2001:2::/48', // benchmarks
  '2001:10::/28', // ORCHID
  '2001:20::/28',
  '2001:db8::/32',
  '3fff::/20', // documentation
  '5f00::/16', // segment routing
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
]);

const loopback = parseNetworkSet(['127.0.0.0/8', '::1', '0.0.0.0/8', '::']);

export class OriginRules {
  readonly #allowPrivate: boolean;
  readonly #forbidden: ForbiddenEndpoint[];

  constructor({ allowPrivate = false, forbidden = [] }: OriginRulesOptions = {}) {
    this.#allowPrivate = allowPrivate;
    this.#forbidden = [...forbidden];
  }

  forbid(endpoint: ForbiddenEndpoint): void {
    this.#forbidden.push(endpoint);
  }

  /**
   * Why an origin will be refused, as far as its host alone shows it: an address, or a name that always has the same
   * addresses. Undefined for other names, which are checked when they are resolved.
   */
  findObstacle(host: string, port: number): OriginObstacle | undefined {
    const name = normaliseHost(host);
    if (metadataNames.has(name)) return 'metadata';
    const isLoopback = name === 'localhost' || name.endsWith('.localhost');
    const address = isLoopback ? '127.0.0.1' : name;
    return parseIp(address) === undefined ? undefined : this.findAddressObstacle(address, port);
  }

  /** The addresses of a name that may be connected to; the obstacle if there is none. */
  chooseAddresses(
    addresses: readonly [string, ...string[]],
    port: number,
  ): readonly string[] | OriginObstacle {
    const allowed = addresses.filter((address) => this.findAddressObstacle(address, port) === undefined);
    return allowed.length > 0 ? allowed : this.findAddressObstacle(addresses[0], port)!;
  }

  findAddressObstacle(address: string, port: number): OriginObstacle | undefined {
    // The zone of an address (`fe80::1%eth0`) only names the interface.
    const ip = parseIp(address.replace(/%.*$/, ''));
    if (ip === undefined) return 'unassigned';
    const obstacles = listReadings(ip).map((reading) => this.#findIpObstacle(reading, port));
    return obstacles.find((obstacle) => obstacle !== undefined);
  }

  #findIpObstacle(ip: Ip, port: number): OriginObstacle | undefined {
    if (metadata.hasIp(ip)) return 'metadata';
    if (unassignedNetworks.hasIp(ip)) return 'unassigned';
    if (!this.#allowPrivate && privateNetworks.hasIp(ip)) return 'private';
    const isOwn = this.#forbidden.some((endpoint) => endpoint.port === port && isAt(ip, endpoint.address));
    return isOwn ? 'own listener' : undefined;
  }
}

/** The form for comparison: without the final dot, and without the brackets of an IPv6 address. */
export function normaliseHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/** The address, and the IPv4 addresses inside it: mapped, compatible, translated, NAT64, ISATAP, 6to4, Teredo. */
function listReadings(ip: Ip): Ip[] {
  if (ip.family === 4) return [ip];
  const mapped = removeMapping(ip);
  if (mapped !== ip) return [mapped];
  const isCompatible = ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0 && ip.w3 > 1;
  const isTranslated = ip.w0 === 0 && ip.w1 === 0 && ip.w2 === 0xffff_0000;
  const isNat64 = ip.w0 === 0x0064_ff9b;
  const isIsatap = (ip.w2 & 0xfcff_ffff) === 0x0000_5efe;
  if (isCompatible || isTranslated || isNat64 || isIsatap) return [ip, new Ip(4, ip.w3)];
  const is6to4 = ip.w0 >>> 16 === 0x2002;
  if (is6to4) return [ip, new Ip(4, ((ip.w0 << 16) | (ip.w1 >>> 16)) >>> 0)];
  // The server, and the client with its bits inverted.
  const isTeredo = ip.w0 === 0x2001_0000;
  return isTeredo ? [ip, new Ip(4, ip.w1), new Ip(4, ~ip.w3 >>> 0)] : [ip];
}

function isAt(ip: Ip, address: string): boolean {
  const listening = parseIp(address);
  if (listening === undefined) return false;
  const isEverywhere = address === '0.0.0.0' || address === '::';
  // A connection to the unspecified address is a connection to loopback.
  const isLoopback = loopback.hasIp(ip);
  if (isLoopback && (isEverywhere || loopback.hasIp(listening))) return true;
  const text = ip.toString();
  if (!isEverywhere) return removeMapping(listening).toString() === text;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((entry) => parseIp(entry.address)?.toString() === text);
}
