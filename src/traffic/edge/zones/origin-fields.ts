/** Header fields about the visitor that settings of a zone add for its origin. */
import { hash } from 'node:crypto';
import { formatIp, Ip, parseIp } from '#addresses';
import type { ZoneSettings } from '#zone-settings';
import type { ForwardDirective, HeaderField, IncomingRequest } from '../wire/exchange.ts';

export interface OriginFieldsOptions {
  readonly settings: ZoneSettings;
  /** ISO 3166-1 alpha-2, empty if unknown; undefined without a database of countries. */
  readonly country: string | undefined;
}

/** Cloudflare's code for an unknown country. */
const unknownCountry = 'XX';

/** Allocates nothing for a zone that adds no fields. */
export function addOriginFields(
  { clientAddress }: IncomingRequest,
  { settings, country }: OriginFieldsOptions,
  fields: HeaderField[] = [],
): Pick<ForwardDirective, 'requestHeaders' | 'shownAddress'> {
  const { ip_geolocation, true_client_ip_header, pseudo_ipv4 } = settings;
  if (country !== undefined && ip_geolocation === 'on')
    fields.push(['cf-ipcountry', country === '' ? unknownCountry : country]);
  if (true_client_ip_header === 'on') fields.push(['true-client-ip', clientAddress]);
  const pseudo = pseudo_ipv4 === 'off' ? undefined : toPseudoIpv4(clientAddress);
  if (pseudo !== undefined) {
    if (pseudo_ipv4 === 'add_header') fields.push(['cf-pseudo-ipv4', pseudo]);
    else fields.push(['cf-connecting-ipv6', clientAddress]);
  }
  return {
    ...(fields.length === 0 ? {} : { requestHeaders: fields }),
    ...(pseudo === undefined || pseudo_ipv4 === 'add_header' ? {} : { shownAddress: pseudo }),
  };
}

/** An address of 240.0.0.0/4 that represents the 64-bit network of an IPv6 address; undefined for IPv4. */
function toPseudoIpv4(address: string): string | undefined {
  const ip = parseIp(address);
  if (ip?.family !== 6) return undefined;
  const digest = hash('sha256', `${ip.w0} ${ip.w1}`, 'buffer');
  return formatIp(new Ip(4, 0xf0000000 + (digest.readUInt32BE() >>> 4)));
}
