/**
 * The items of lists, in normalised spelling. Two items with the same key are the same item, and keys sort as items do: IPv4
 * before IPv6, then by address, then the larger network first.
 */
import { parseNetwork, formatIp, type Network } from '#addresses';
import type { InputOf } from '#contract';
import { expressionListKinds, type ListKind } from '#rulesets';

export type GivenItem = InputOf<'lists.appendItems'>['body'][number];

/** The part of an item in the API besides its id, comment and times. */
export type ItemValue = Pick<GivenItem, ListKind>;

export interface ListItem {
  readonly key: string;
  /** The text that searches match. */
  readonly text: string;
  readonly value: ItemValue;
}

/** The item as the list stores it, or the invalid field and the reason. */
export type ReadItem =
  | { readonly ok: true; readonly item: ListItem }
  | { readonly ok: false; readonly field: string; readonly reason: string };

export function readItem(kind: ListKind, given: GivenItem): ReadItem {
  const other = kinds.find((each) => each !== kind && given[each] !== undefined && given[each] !== '');
  if (other !== undefined) return reportProblem(other, `a list of kind ${kind} holds no ${other}`);
  switch (kind) {
    case 'ip':
      return given.ip === undefined || given.ip === '' ? reportMissing(kind) : readAddress(given.ip);
    case 'hostname':
      return given.hostname === undefined ? reportMissing(kind) : readHostname(given.hostname);
    case 'asn':
      return given.asn === undefined ? reportMissing(kind) : readNumber(given.asn);
    default:
      return given.redirect === undefined ? reportMissing(kind) : readRedirect(given.redirect);
  }
}

const kinds: readonly ListKind[] = [...expressionListKinds, 'redirect'];

function reportMissing(kind: ListKind): ReadItem {
  return reportProblem('', `an item of a list of kind ${kind} needs ${kind}`);
}

function reportProblem(field: string, reason: string): ReadItem {
  return { ok: false, field, reason };
}

/** The allowed prefix lengths of networks; single addresses are allowed too. */
const prefixLengths = { 4: { min: 8, max: 32 }, 6: { min: 12, max: 64 } } as const;

function readAddress(given: string): ReadItem {
  const network = parseNetwork(given.trim());
  if (network === undefined)
    return reportProblem('ip', `not an address or a network: ${JSON.stringify(given)}`);
  const { first, prefixLength } = network;
  const isSingle = !given.includes('/') || (first.family === 4 && prefixLength === 32);
  const { min, max } = prefixLengths[first.family];
  if (!isSingle && (prefixLength < min || prefixLength > max)) {
    const advice = prefixLength > max ? '; leave it out for a single address' : '';
    return reportProblem(
      'ip',
      `the prefix length of IPv${first.family} is ${min} to ${max}: ${prefixLength}${advice}`,
    );
  }
  const text = isSingle ? formatIp(first) : `${formatIp(first)}/${prefixLength}`;
  return { ok: true, item: { key: toAddressKey(network), text, value: { ip: text } } };
}

function toAddressKey({ first, prefixLength }: Network): string {
  const words = first.family === 4 ? [first.w0] : [first.w0, first.w1, first.w2, first.w3];
  const digits = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  return `${first.family}${digits}/${String(prefixLength).padStart(3, '0')}`;
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const hostnamePattern = new RegExp(`^(?:\\*\\.)?(?:${label}\\.)+${label}$`);

function readHostname(given: NonNullable<GivenItem['hostname']>): ReadItem {
  const name = given.url_hostname.toLowerCase();
  if (name.length > 253 || !hostnamePattern.test(name)) {
    const rule = 'not a host name, or one with *. before it';
    return reportProblem('hostname/url_hostname', `${rule}: ${JSON.stringify(given.url_hostname)}`);
  }
  return { ok: true, item: { key: name, text: name, value: { hostname: { ...given, url_hostname: name } } } };
}

function readNumber(asn: number): ReadItem {
  return { ok: true, item: { key: String(asn).padStart(10, '0'), text: String(asn), value: { asn } } };
}

const redirectSourceMax = 4096;

/** An optional scheme, a host and a path, without credentials, port or query. */
const sourcePattern = /^(https?:\/\/)?[^\s/?#@:\\]+(?:\/[^\s?#\\]*)?$/i;

function readRedirect(given: NonNullable<GivenItem['redirect']>): ReadItem {
  const { source_url, target_url, ...settings } = given;
  const [match, scheme = ''] = sourcePattern.exec(source_url) ?? [];
  const source = match === undefined ? null : URL.parse(scheme === '' ? `https://${match}` : match);
  if (source === null)
    return reportProblem('redirect/source_url', 'not a host and a path, optionally with http:// or https://');
  const target = URL.parse(target_url);
  const isUrl = target !== null && /^https?:$/.test(target.protocol) && target.username === '';
  // A line break would only be removed by the URL parser.
  if (!isUrl || /\s/.test(target_url)) {
    return reportProblem('redirect/target_url', 'not an address that begins with http:// or https://');
  }
  if (isSource(target, source, { ...settings, scheme }))
    return reportProblem(
      'redirect/target_url',
      'this item redirects it again, in an endless loop; to redirect only http, write http:// before the source',
    );
  // A cursor contains the key and must fit into a request target.
  const from = `${scheme.toLowerCase()}${source.hostname}${source.pathname}`;
  if (from.length > redirectSourceMax)
    return reportProblem('redirect/source_url', `longer than ${redirectSourceMax} characters once encoded`);
  // Terraform must read back what it sent: omitted parts stay omitted, and a host needs no trailing slash.
  const to = target.href === `${target_url}/` ? target_url : target.href;
  const value = { redirect: { ...settings, source_url: from, target_url: to } };
  return { ok: true, item: { key: from, text: `${from} ${target.href}`.toLowerCase(), value } };
}

interface SourceSettings {
  /** Empty for both schemes. */
  readonly scheme: string;
  readonly subpath_matching?: boolean | undefined;
  readonly include_subdomains?: boolean | undefined;
}

/** Whether an item with this source matches the URL. */
function isSource(
  url: URL,
  source: URL,
  { scheme, subpath_matching = false, include_subdomains = false }: SourceSettings,
): boolean {
  const { hostname, pathname, protocol } = url;
  const isHost =
    hostname === source.hostname || (include_subdomains && hostname.endsWith(`.${source.hostname}`));
  const folder = source.pathname.replace(/\/?$/, '/');
  const isPath = pathname === source.pathname || (subpath_matching && pathname.startsWith(folder));
  return isHost && isPath && (scheme === '' || scheme.toLowerCase() === `${protocol}//`);
}
