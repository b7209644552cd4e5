/**
 * Downloads country and network databases, once a day, and installs them if they can be read as such: an error page, or
 * half a file, never replaces a database. The edges switch to the new file by themselves (`geo-files.ts`).
 */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Log } from '#base';
import { makeDirectory } from '#files';
import { type Metric, Reading } from '#metrics';
import { openRequest, operatorRules } from '#outbound';
import type { Settings } from '../config/settings.ts';
import { extractDatabase } from './extract-database.ts';
import { type GeoSettings, listGeoPaths } from './geo-paths.ts';

type DownloadSettings = GeoSettings & Pick<Settings, 'geoipCredentials'>;

const everyMs = 86_400_000;
const lookMs = 600_000;
const answerMsMax = 600_000;
/** Publishers redirect to the servers of their files. */
const redirectsMax = 5;
/** The largest have about 200 MB. */
const bytesMax = 1024 * 1024 * 1024;

interface Download {
  readonly name: 'city' | 'asn';
  readonly url: string;
  readonly path: string;
}

export class GeoDownloads implements Disposable {
  /** Empty if nothing is downloaded. */
  readonly metrics: readonly Metric[];
  readonly #settings: DownloadSettings;
  readonly #log: Log;
  readonly #downloads: readonly Download[];
  readonly #ages = new Map<string, number>();
  readonly #end = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: DownloadSettings, log: Log) {
    this.#settings = settings;
    this.#log = log;
    const paths = listGeoPaths(settings);
    this.#downloads = [
      ...toDownload('city', settings.geoipCityFrom, paths.city),
      ...toDownload('asn', settings.geoipAsnFrom, paths.asn),
    ];
    const modified = new Reading(
      'gatehouse_geoip_modified_timestamp_seconds',
      'Last download of the country or network database.',
      () => Array.from(this.#ages, ([database, seconds]) => [{ database }, seconds] as const),
    );
    this.metrics = this.#downloads.length === 0 ? [] : [modified];
  }

  begin(): void {
    if (this.#downloads.length === 0) return;
    void this.look();
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#end.abort();
  }

  /** Resolves when every outdated database was tried. */
  async look(): Promise<void> {
    await Promise.all(this.#downloads.map((each) => this.#keepFresh(each)));
  }

  async #keepFresh(download: Download): Promise<void> {
    const { name, path, url } = download;
    const modifiedMs = await readModified(path);
    if (modifiedMs !== undefined) this.#ages.set(name, modifiedMs / 1_000);
    if (modifiedMs !== undefined && Math.abs(Date.now() - modifiedMs) < everyMs) return;
    const temporary = `${path}.new`;
    try {
      makeDirectory(dirname(path));
      await this.#download(url, temporary);
      const { openGeoDatabase } = await import('#edge');
      await openGeoDatabase({ [name]: temporary });
      await rename(temporary, path);
      this.#ages.set(name, Date.now() / 1_000);
      this.#log.info('downloaded a country or network database', { database: name });
    } catch (error) {
      if (this.#end.signal.aborted) return;
      // Without the query, which may contain a key.
      const from = url.replace(/\?.*/, '');
      const consequence = modifiedMs === undefined ? 'there is none yet' : 'the previous one stays in use';
      this.#log.warn(`could not download a country or network database; ${consequence}`, { from, error });
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  }

  async #download(url: string, file: string): Promise<void> {
    const { geoipCredentials: credentials } = this.#settings;
    const authorization = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    const { status, body } = await openRequest({
      url,
      headers: authorization === undefined ? {} : { authorization },
      rules: operatorRules,
      timeoutMs: answerMsMax,
      redirectsMax,
      signal: this.#end.signal,
    });
    if (status !== 200) {
      body.destroy();
      throw new Error(`the server answered ${status}`);
    }
    await pipeline(body, decompress, bound, extractDatabase, createWriteStream(file, { mode: 0o600 }));
  }
}

function toDownload(name: Download['name'], url: string | undefined, path: string | undefined): Download[] {
  return url === undefined || path === undefined ? [] : [{ name, url, path }];
}

async function readModified(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

/** Decompresses data that starts like gzip. */
async function* decompress(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = chunks[Symbol.asyncIterator]();
  const first = await reader.next();
  if (first.done === true) throw new Error('the response is empty');
  const all = (async function* join() {
    yield first.value;
    for (let next = await reader.next(); next.done !== true; next = await reader.next()) yield next.value;
  })();
  const isCompressed = first.value[0] === 0x1f && first.value[1] === 0x8b;
  yield* isCompressed ? unzip(all) : all;
}

function unzip(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  const unzipped = createGunzip();
  // The readers get the error.
  pipeline(chunks, unzipped).catch(() => {});
  return unzipped;
}

async function* bound(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`it has more than ${bytesMax} bytes`);
    yield chunk;
  }
}
