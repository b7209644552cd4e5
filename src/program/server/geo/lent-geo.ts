/**
 * The country and network databases for rare uses: they are opened on demand, and closed after a minute without use.
 * The processes of the edge keep theirs open, and those need tens of megabytes.
 */
import type { Log } from '#base';
import type { GeoDatabase } from '#edge';
import type { GeoFiles } from './geo-files.ts';
import { type GeoSettings, listGeoPaths } from './geo-paths.ts';

const keptMs = 60_000;

export class LentGeo {
  readonly #settings: GeoSettings;
  readonly #log: Log;
  #files: Promise<GeoFiles> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: GeoSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
  }

  /** The fields that the opened databases, if any, do not contain. */
  listUnknownFields(opened: GeoDatabase | undefined): readonly string[] {
    const hasNetworks = opened !== undefined && listGeoPaths(this.#settings).asn !== undefined;
    return [...(opened?.hasCountries === true ? [] : fieldsOfCity), ...(hasNetworks ? [] : ['ip.src.asnum'])];
  }

  /** Undefined if one cannot be read. */
  async open(): Promise<GeoDatabase | undefined> {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#close(), keptMs).unref();
    try {
      return await (this.#files ??= this.#openFiles());
    } catch (error) {
      this.#files = undefined;
      this.#log.warn('could not open the country and network databases', { error });
      return undefined;
    }
  }

  async #openFiles(): Promise<GeoFiles> {
    // The start need not wait for the edge's code, which reads them.
    const { GeoFiles } = await import('./geo-files.ts');
    return await GeoFiles.open(this.#settings, this.#log);
  }

  async #close(): Promise<void> {
    const files = this.#files;
    this.#files = undefined;
    (await files)?.[Symbol.dispose]();
  }
}

const fieldsOfCity = [
  ...['country', 'continent', 'is_in_european_union', 'subdivision_1_iso_code', 'subdivision_2_iso_code'],
  ...['region', 'region_code', 'city', 'postal_code', 'metro_code', 'lat', 'lon', 'timezone'],
].map((name) => `ip.src.${name}`);
