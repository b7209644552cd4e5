/** The networks of a list that a provider publishes. Part of a list would turn clients away. */
import { isNetwork, readPublishedList } from '#addresses';

/** The largest provider publishes about ten thousand. */
const networksMax = 50_000;

/** Providers have no shorter prefixes: a list that trusts half of the internet is broken, or worse. */
const prefixMin = { 4: 8, 6: 16 } as const;

/** Throws an `Error` that describes the problem. */
export function readNetworks(text: string): string[] {
  const networks = readPublishedList(text, {
    name: 'network',
    isEntry: isNetwork,
    // Single addresses in JSON are those of servers.
    isEntryOfJson: (value) => value.includes('/') && isNetwork(value),
  });
  if (networks.length > networksMax) throw new Error(`it has more than ${networksMax} networks`);
  const wide = networks.find(isTooWide);
  if (wide !== undefined) throw new Error(`it has ${wide}, which is too large a part of the internet`);
  return networks;
}

function isTooWide(network: string): boolean {
  const [address, prefix] = network.split('/');
  return prefix !== undefined && Number(prefix) < prefixMin[address!.includes(':') ? 6 : 4];
}
