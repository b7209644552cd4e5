/**
 * The targets of IP access rules: an address, a network, all addresses of a network operator or of a country. Values
 * are stored in the spelling of Cloudflare's responses; two rules have the same target if their keys are equal.
 */
import { formatIp, type Ip, maskAddress, parseIp, parseNetwork } from '#addresses';

/** From the most to the least specific. */
export const accessTargets = ['ip', 'ip6', 'ip_range', 'asn', 'country'] as const;

export type AccessTarget = (typeof accessTargets)[number];

export const accessModes = ['block', 'challenge', 'whitelist', 'js_challenge', 'managed_challenge'] as const;

export type AccessMode = (typeof accessModes)[number];

/**
 * Prefix lengths that a range can have, the most specific first: Cloudflare's, so a request has few keys to look up.
 */
export const rangePrefixes = { 4: [24, 16], 6: [64, 48, 32] } as const;

export type AccessTargetResult =
  | { readonly ok: true; readonly value: string; readonly key: string }
  /** The end of a sentence about the value. */
  | { readonly ok: false; readonly reason: string };

/** The largest number of a network operator: they have 32 bits. */
const asnMax = 2 ** 32 - 1;

export function readAccessTarget(target: AccessTarget, value: string): AccessTargetResult {
  switch (target) {
    case 'ip':
    case 'ip6':
      return readAddress(target, value);
    case 'ip_range':
      return readRange(value);
    case 'asn':
      return readAsn(value);
    case 'country':
      return /^[a-z][a-z0-9]$/i.test(value)
        ? { ok: true, value: value.toUpperCase(), key: formatCountryKey(value.toUpperCase()) }
        : refuse('must be a country code of two letters, as in ISO 3166-1: DE; XX stands for unknown');
  }
}

export function formatAddressKey(ip: Ip): string {
  return `ip ${formatIp(ip)}`;
}

export function formatRangeKey(ip: Ip, prefixLength: number): string {
  return `ip_range ${formatIp(maskAddress(ip, prefixLength))}/${prefixLength}`;
}

export function formatAsnKey(asn: number): string {
  return `asn ${asn}`;
}

export function formatCountryKey(country: string): string {
  return `country ${country}`;
}

function readAddress(target: 'ip' | 'ip6', value: string): AccessTargetResult {
  const ip = parseIp(value);
  if (ip === undefined || (target === 'ip6' && ip.family === 4))
    return refuse(`must be an ${target === 'ip6' ? 'IPv6 ' : 'IP '}address; for a network use ip_range`);
  return { ok: true, value, key: formatAddressKey(ip) };
}

function readRange(value: string): AccessTargetResult {
  const network = value.includes('/') ? parseNetwork(value) : undefined;
  if (network === undefined) return refuse('must be a network: 192.0.2.0/24');
  const { first, prefixLength } = network;
  const prefixes: readonly number[] = rangePrefixes[first.family];
  if (!prefixes.includes(prefixLength)) {
    const lengths = prefixes.map((length) => `/${length}`).join(', ');
    return refuse(`must have one of the lengths ${lengths}; for others use a list and a custom rule`);
  }
  const key = formatRangeKey(first, prefixLength);
  return { ok: true, value: `${formatIp(first)}/${prefixLength}`, key };
}

function readAsn(value: string): AccessTargetResult {
  const [, digits] = /^(?:AS)?(\d{1,10})$/i.exec(value) ?? [];
  const asn = Number(digits ?? Number.NaN);
  return asn >= 1 && asn <= asnMax
    ? { ok: true, value: `AS${asn}`, key: formatAsnKey(asn) }
    : refuse('must be the number of a network operator: AS64500');
}

function refuse(reason: string): AccessTargetResult {
  return { ok: false, reason };
}
