/**
 * Reads the networks of a published list: a network in each line, or JSON with networks anywhere in it, as providers
 * publish theirs. A list that cannot be parsed completely is not used: part of it would turn clients away.
 */
import { isNetwork } from '#base';

/** The largest provider publishes about ten thousand. */
const networksMax = 50_000;

/** Providers have no shorter prefixes: a list that trusts half of the internet is broken, or worse. */
const prefixMin = { 4: 8, 6: 16 } as const;

/** Throws an `Error` that describes the problem. */
export function readNetworks(text: string): string[] {
  const networks = /^\s*[[{]/.test(text) ? readJson(text) : readLines(text);
  if (networks.length === 0) throw new Error('it has no networks');
  if (networks.length > networksMax) throw new Error(`it has more than ${networksMax} networks`);
  const wide = networks.find(isTooWide);
  if (wide !== undefined) throw new Error(`it has ${wide}, which is too large a part of the internet`);
  return networks;
}

function readLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/[#;].*/, '').trim());
  const networks = lines.filter((line) => line !== '');
  const strange = networks.findIndex((line) => !isNetwork(line));
  if (strange !== -1)
    throw new Error(`this is not a network: ${JSON.stringify(networks[strange]!.slice(0, 60))}`);
  return networks;
}

function readJson(text: string): string[] {
  const networks: string[] = [];
  JSON.parse(text, (_key, value: unknown) => {
    if (typeof value === 'string' && value.includes('/') && isNetwork(value)) networks.push(value);
    return value;
  });
  return networks;
}

function isTooWide(network: string): boolean {
  const [address, prefix] = network.split('/');
  return prefix !== undefined && Number(prefix) < prefixMin[address!.includes(':') ? 6 : 4];
}
