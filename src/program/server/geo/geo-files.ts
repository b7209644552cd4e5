/**
 * Country and network databases that can be replaced while the edge runs: whether the program downloads them or the
 * operator installs a file, no restart is needed. If a file cannot be read, the previous one stays in use.
 */
import { stat } from 'node:fs/promises';
import { type Log, StartError } from '#base';
import { emptyGeoDatabase, type GeoDatabase, openGeoDatabase } from '#edge';
import { type GeoPaths, type GeoSettings, listGeoPaths } from './geo-paths.ts';

const lookMs = 10_000;

export class GeoFiles implements GeoDatabase, Disposable {
  readonly #paths: GeoPaths;
  readonly #log: Log;
  #database = emptyGeoDatabase;
  /** The state of the files at the last attempt. */
  #seen = '';
  readonly #timer: NodeJS.Timeout | undefined;

  private constructor(paths: GeoPaths, log: Log) {
    this.#paths = paths;
    this.#log = log;
    if (paths.city === undefined && paths.asn === undefined) return;
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  /** Throws a `StartError` for a file of the settings that cannot be read. */
  static async open(settings: GeoSettings, log: Log): Promise<GeoFiles> {
    const files = new GeoFiles(listGeoPaths(settings), log);
    try {
      // Configured files must exist; a downloaded one may arrive later.
      await openGeoDatabase({ city: settings.geoipCity, asn: settings.geoipAsn });
    } catch (error) {
      files[Symbol.dispose]();
      throw new StartError((error as Error).message, { cause: error });
    }
    await files.look();
    return files;
  }

  get hasCountries(): boolean {
    return this.#database.hasCountries === true;
  }

  find(address: string): ReturnType<GeoDatabase['find']> {
    return this.#database.find(address);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  /** Reads the files again if they have changed. */
  async look(): Promise<void> {
    const { city, asn } = this.#paths;
    const [ofCity, ofAsn] = await Promise.all([describeFile(city), describeFile(asn)]);
    const seen = `${ofCity} ${ofAsn}`;
    if (seen === this.#seen) return;
    const isFirst = this.#seen === '';
    this.#seen = seen;
    try {
      this.#database = await openGeoDatabase({
        city: ofCity === undefined ? undefined : city,
        asn: ofAsn === undefined ? undefined : asn,
      });
      if (!isFirst) this.#log.info('loaded another country or network database', { city, asn });
    } catch (error) {
      this.#log.warn('could not use a country or network database; the previous one stays in use', { error });
    }
  }
}

/** Undefined if the file does not exist. */
async function describeFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino}-${size}-${mtimeMs}`;
  } catch {
    return undefined;
  }
}
