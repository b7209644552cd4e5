/**
 * The networks of the demo's visitors. Their addresses are reserved for documentation by RFC 5737, so no real network
 * is accused; countries and networks are invented, and the edge reads them from databases in MaxMind's format.
 */
import { writeMmdb } from './mmdb.ts';
import type { Random } from './random.ts';

/** Each has 32 addresses. */
export interface DemoNetwork {
  readonly network: string;
  readonly country: string;
  readonly asn: number;
  readonly name: string;
}

/** Mostly visitors. */
export const homes: readonly DemoNetwork[] = [
  { network: '192.0.2.0/27', country: 'DE', asn: 64_496, name: 'Example Telekom' },
  { network: '192.0.2.32/27', country: 'FR', asn: 64_497, name: 'Réseau Exemple' },
  { network: '192.0.2.64/27', country: 'US', asn: 64_498, name: 'Example Cable' },
  { network: '192.0.2.96/27', country: 'GB', asn: 64_499, name: 'Example Broadband' },
  { network: '192.0.2.128/27', country: 'JP', asn: 64_500, name: 'Example Hikari' },
  { network: '192.0.2.160/27', country: 'BR', asn: 64_501, name: 'Exemplo Fibra' },
];

/** Mostly attackers. */
export const hosters: readonly DemoNetwork[] = [
  { network: '198.51.100.0/27', country: 'NL', asn: 64_502, name: 'Example Hosting' },
  { network: '198.51.100.32/27', country: 'US', asn: 64_503, name: 'Example Cloud' },
  { network: '198.51.100.64/27', country: 'SG', asn: 64_504, name: 'Example Servers' },
  { network: '203.0.113.0/27', country: 'RO', asn: 64_505, name: 'Example Colocation' },
];

export function drawAddress(random: Random, networks: readonly DemoNetwork[]): string {
  return addressIn(random.pick(networks), 1 + random.below(29));
}

/** The n-th address of a network. */
function addressIn({ network }: DemoNetwork, number: number): string {
  const [start = ''] = network.split('/');
  const at = start.lastIndexOf('.');
  return `${start.slice(0, at)}.${Number(start.slice(at + 1)) + number}`;
}

export function findNetwork(address: string): DemoNetwork {
  const [, start = '', number = ''] = /^(.*\.)(\d+)$/.exec(address) ?? [];
  const network = `${start}${Number(number) & ~31}/27`;
  return [...homes, ...hosters].find((each) => each.network === network)!;
}

export function writeCountries(): Uint8Array {
  return writeMmdb(
    'GeoLite2-Country',
    listEntries(({ country }) => ({ country: { iso_code: country } })),
  );
}

export function writeSystems(): Uint8Array {
  return writeMmdb(
    'GeoLite2-ASN',
    listEntries(({ asn, name }) => ({
      autonomous_system_number: asn,
      autonomous_system_organization: name,
    })),
  );
}

function listEntries<Value>(describe: (network: DemoNetwork) => Value): { network: string; value: Value }[] {
  return [...homes, ...hosters].map((each) => ({ network: each.network, value: describe(each) }));
}
