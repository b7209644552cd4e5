/** What this edge knows about a client, under Cloudflare's names: a Worker finds it in `request.cf`. */
import { textOf } from '#text';
import { type HeaderField, type IncomingRequest, readField } from '../wire/exchange.ts';
import type { GeoFacts } from '../judging/geo.ts';
import { siteName } from '../judging/request-facts.ts';

/** The listener of a Worker removes these fields; values that a client sends under their names are replaced. */
const cfName = 'gatehouse-cf';
const zoneName = 'gatehouse-zone';

const places: readonly (readonly [name: string, field: string])[] = [
  ['continent', 'ip.src.continent'],
  ['region', 'ip.src.region'],
  ['regionCode', 'ip.src.region_code'],
  ['city', 'ip.src.city'],
  ['postalCode', 'ip.src.postal_code'],
  ['metroCode', 'ip.src.metro_code'],
  ['latitude', 'ip.src.lat'],
  ['longitude', 'ip.src.lon'],
  ['timezone', 'ip.src.timezone.name'],
];

/** Also passes the zone, whose origin the Worker reaches. */
export function describeClient(request: IncomingRequest, geo: GeoFacts, zone: string): HeaderField[] {
  return [writeCfField(request, geo), [zoneName, zone]];
}

/** A header field must be ASCII. */
function writeCfField(request: IncomingRequest, geo: GeoFacts): HeaderField {
  const cf: Record<string, unknown> = {
    colo: siteName,
    httpProtocol: `HTTP/${request.httpVersion}`,
    clientAcceptEncoding: readField(request.headers, 'accept-encoding'),
    tlsVersion: request.connection.tls?.version ?? '',
    tlsCipher: request.connection.tls?.cipher ?? '',
  };
  if (geo.country !== '') cf['country'] = geo.country;
  if (geo.asn !== undefined) cf['asn'] = geo.asn;
  if (geo.asnDescription !== '') cf['asOrganization'] = geo.asnDescription;
  if (geo.read('ip.src.is_in_european_union') === true) cf['isEUCountry'] = '1';
  for (const [key, field] of places) {
    const value = geo.read(field);
    // Values of rules are binary strings.
    if (typeof value === 'string') cf[key] = textOf(value);
  }
  const text = JSON.stringify(cf).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [cfName, text];
}
