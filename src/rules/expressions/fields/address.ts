/** The address of the client, and its entry in a database. */
import { boolType, bytesType, intType, ipType } from '../types.ts';
import { defineFields, deprecate } from './define.ts';

const source = defineFields({ filledBy: 'proxy' }, [
  ['ip.src', ipType, 'The address of the client, behind trusted proxies.'],
]);

const place = defineFields({ filledBy: 'geo' }, [
  ['ip.src.asnum', intType, 'The number of the autonomous system.'],
  ['ip.src.country', bytesType, 'ISO 3166-1 code of two letters; T1 for Tor.'],
  ['ip.src.continent', bytesType, 'AF, AN, AS, EU, NA, OC, SA; T1 for Tor.'],
  ['ip.src.is_in_european_union', boolType, 'Whether the country is in the European Union.'],
  ['ip.src.subdivision_1_iso_code', bytesType, 'ISO 3166-2 code of the larger subdivision, such as GB-ENG.'],
  ['ip.src.subdivision_2_iso_code', bytesType, 'ISO 3166-2 code of the smaller subdivision, such as GB-SWK.'],
  ['ip.src.region', bytesType, 'The name of the region.'],
  ['ip.src.region_code', bytesType, 'The code of the region.'],
  ['ip.src.city', bytesType, 'The city.'],
  ['ip.src.postal_code', bytesType, 'The postal code.'],
  ['ip.src.metro_code', bytesType, 'The metro code.'],
  ['ip.src.lat', bytesType, 'The latitude, as text.'],
  ['ip.src.lon', bytesType, 'The longitude, as text.'],
  ['ip.src.timezone.name', bytesType, 'The name of the time zone.'],
]);

/** The first six were renamed from `ip.geoip.*`. */
const old = place.slice(0, 6).map((field) => deprecate(field.name.replace('ip.src', 'ip.geoip'), field));

export const addressFields = [...source, ...place, ...old];
