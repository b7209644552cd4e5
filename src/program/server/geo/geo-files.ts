/**
 * Country and network databases that are replaced while the edge runs: whoever puts another file in place, the program that
 * downloads them or the operator, needs no restart. A file that cannot be read leaves the one before in use.
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
  /** What the files looked like when they were tried last. */
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
      // Those of the settings have to be there; one that is downloaded may come later.
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

  /** Reads the files again if they are others. */
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
      if (!isFirst) this.#log.info('took another country or network database into use', { city, asn });
    } catch (error) {
      this.#log.warn('could not use a country or network database; the previous one stays in use', { error });
    }
  }
}

/** Undefined if there is no such file. */
async function describeFile(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    const { ino, size, mtimeMs } = await stat(path);
    return `${ino}-${size}-${mtimeMs}`;
  } catch {
    return undefined;
  }
}
