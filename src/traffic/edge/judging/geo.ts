/**
 * The locations of addresses, from databases in MaxMind's format that the operator provides: one of cities or countries, one
 * of networks, either or both. Without them every such field has its default. Files are read into memory once; lookups of
 * recent addresses are cached.
 */
import type { AsnResponse, CityResponse, Reader } from 'maxmind';
import { bytesOf } from '#text';
import type { Value } from '#expressions';

export interface GeoFacts {
  /** ISO 3166-1 alpha-2, empty if unknown. */
  readonly country: string;
  readonly asn: number | undefined;
  readonly asnDescription: string;
  read(key: string): Value | undefined;
}

export interface GeoDatabase {
  /** Whether `country` is empty only for addresses that belong to no country. */
  readonly hasCountries?: boolean;
  find(address: string): GeoFacts;
}

/** The facts about an address in a form that can be sent to another thread. */
export interface GeoCopy extends Omit<GeoFacts, 'read'> {
  readonly values: ReadonlyMap<string, Value>;
}

export function copyGeo(geo: GeoFacts): GeoCopy {
  const { country, asn, asnDescription } = geo;
  const values = [...readers.keys()].flatMap((key) => {
    const value = geo.read(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { country, asn, asnDescription, values: new Map(values) };
}

export function restoreGeo({ values, ...facts }: GeoCopy): GeoFacts {
  return { ...facts, read: (key) => values.get(key) };
}

const noGeo: GeoFacts = { country: '', asn: undefined, asnDescription: '', read: () => undefined };

export const emptyGeoDatabase: GeoDatabase = { find: () => noGeo };

export async function openGeoDatabase(files: {
  readonly city?: string | undefined;
  readonly asn?: string | undefined;
}): Promise<GeoDatabase> {
  const city = files.city === undefined ? undefined : await openFile<CityResponse>(files.city);
  const asn = files.asn === undefined ? undefined : await openFile<AsnResponse>(files.asn);
  return { hasCountries: city !== undefined, find: (address) => new FoundFacts({ city, asn }, address) };
}

async function openFile<R extends CityResponse | AsnResponse>(file: string): Promise<Reader<R>> {
  // Loaded only if there are databases.
  const { open } = await import('maxmind');
  try {
    return await open<R>(file);
  } catch (error) {
    throw new TypeError(`${file} cannot be read as a MaxMind database: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

interface Readers {
  readonly city: Reader<CityResponse> | undefined;
  readonly asn: Reader<AsnResponse> | undefined;
}

/** Looks nothing up before it is read. */
class FoundFacts implements GeoFacts {
  readonly #readers: Readers;
  readonly #address: string;
  #foundCity: CityResponse | null | undefined;
  #foundAsn: AsnResponse | null | undefined;

  constructor(readers: Readers, address: string) {
    this.#readers = readers;
    this.#address = address;
  }

  get #city(): CityResponse | null {
    return (this.#foundCity ??= this.#readers.city?.get(this.#address) ?? null);
  }

  get #asn(): AsnResponse | null {
    return (this.#foundAsn ??= this.#readers.asn?.get(this.#address) ?? null);
  }

  get country(): string {
    return this.#city?.country?.iso_code ?? '';
  }

  get asn(): number | undefined {
    return this.#asn?.autonomous_system_number;
  }

  get asnDescription(): string {
    return this.#asn?.autonomous_system_organization ?? '';
  }

  read(key: string): Value | undefined {
    const reader = readers.get(key);
    const city = reader === undefined ? null : this.#city;
    return city === null ? undefined : reader!(city);
  }
}

const toText = (value: string | number | undefined): Value | undefined =>
  value === undefined ? undefined : bytesOf(String(value));

const readers: ReadonlyMap<string, (city: CityResponse) => Value | undefined> = new Map([
  ['ip.src.continent', ({ continent }) => toText(continent?.code)],
  ['ip.src.is_in_european_union', ({ country }) => country?.is_in_european_union],
  [
    'ip.src.subdivision_1_iso_code',
    ({ country, subdivisions }) => formatSubdivision(country, subdivisions?.[0]),
  ],
  [
    'ip.src.subdivision_2_iso_code',
    ({ country, subdivisions }) => formatSubdivision(country, subdivisions?.[1]),
  ],
  ['ip.src.region', ({ subdivisions }) => toText(subdivisions?.[0]?.names?.en)],
  ['ip.src.region_code', ({ subdivisions }) => toText(subdivisions?.[0]?.iso_code)],
  ['ip.src.city', ({ city }) => toText(city?.names?.en)],
  ['ip.src.postal_code', ({ postal }) => toText(postal?.code)],
  ['ip.src.metro_code', ({ location }) => toText(location?.metro_code)],
  ['ip.src.lat', ({ location }) => toText(location?.latitude)],
  ['ip.src.lon', ({ location }) => toText(location?.longitude)],
  ['ip.src.timezone.name', ({ location }) => toText(location?.time_zone)],
]);

/** For example `GB-ENG`. */
function formatSubdivision(
  country: CityResponse['country'],
  part: { readonly iso_code?: string } | undefined,
): Value | undefined {
  return part?.iso_code === undefined ? undefined : toText(`${country?.iso_code ?? ''}-${part.iso_code}`);
}
