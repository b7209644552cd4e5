/** The paths of the country and network databases. */
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';

export type GeoSettings = Pick<
  Settings,
  'data' | 'geoipCity' | 'geoipAsn' | 'geoipCityFrom' | 'geoipAsnFrom'
>;

export interface GeoPaths {
  readonly city: string | undefined;
  readonly asn: string | undefined;
}

/** A configured file, or the downloaded one. */
export function listGeoPaths({
  data,
  geoipCity,
  geoipAsn,
  geoipCityFrom,
  geoipAsnFrom,
}: GeoSettings): GeoPaths {
  const downloaded = (name: string, from: string | undefined): string | undefined =>
    from === undefined ? undefined : join(data, 'geoip', `${name}.mmdb`);
  return {
    city: geoipCity ?? downloaded('city', geoipCityFrom),
    asn: geoipAsn ?? downloaded('asn', geoipAsnFrom),
  };
}
