/**
 * Networks of trusted proxies from files and URLs, such as those that a CDN provider publishes. They are read at the
 * start and every hour. After a failure the previous networks stay; the last valid answer of a URL is kept in a file,
 * so that a start does not depend on an external server.
 */
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Log, StartError } from '#base';
import { writePrivateFile } from '#files';
import { operatorRules, sendRequest } from '#outbound';
import type { Settings } from '../../config/settings.ts';
import { readNetworks } from './read-networks.ts';

const readEveryMs = 3_600_000;
/** The delay while a URL has never answered. */
const retryMs = 60_000;
const answerMs = 10_000;
const redirectsMax = 5;
const bytesMax = 16 * 1024 * 1024;

export interface TrustedNetworksOptions {
  readonly settings: Pick<Settings, 'trustedProxies' | 'trustedProxiesFrom' | 'data'>;
  readonly log: Log;
}

export class TrustedNetworks {
  readonly #options: TrustedNetworksOptions;
  readonly #known = new Map<string, readonly string[]>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  /** Called with all networks when they have changed. */
  onChange: (networks: readonly string[]) => void = () => {};

  private constructor(options: TrustedNetworksOptions) {
    this.#options = options;
  }

  /** Waits briefly for URLs that have never answered. Throws a `StartError` for a file that cannot be used. */
  static async open(options: TrustedNetworksOptions): Promise<TrustedNetworks> {
    const opened = new TrustedNetworks(options);
    const { trustedProxiesFrom: sources } = options.settings;
    if (sources.length === 0) return opened;
    const remembered = sources.filter((source) =>
      isAddress(source) ? opened.#remember(source) : opened.#readFirst(source),
    );
    const unknown = sources.filter((source) => !remembered.includes(source));
    await Promise.all(unknown.map((source) => opened.#read(source)));
    opened.#readLater(remembered.some(isAddress) ? 0 : undefined);
    return opened;
  }

  get networks(): readonly string[] {
    return [...this.#options.settings.trustedProxies, ...[...this.#known.values()].flat()];
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #readLater(ms?: number): void {
    const isWhole = this.#options.settings.trustedProxiesFrom.every((source) => this.#known.has(source));
    this.#timer = setTimeout(() => void this.#readAgain(), ms ?? (isWhole ? readEveryMs : retryMs)).unref();
  }

  async #readAgain(): Promise<void> {
    await this.readAll();
    if (!this.#isClosed) this.#readLater();
  }

  /** Resolves when every source was tried. */
  async readAll(): Promise<void> {
    const before = this.networks.join();
    await Promise.all(this.#options.settings.trustedProxiesFrom.map((source) => this.#read(source)));
    if (!this.#isClosed && this.networks.join() !== before) this.onChange(this.networks);
  }

  async #read(source: string): Promise<void> {
    const { log } = this.#options;
    try {
      const text = isAddress(source) ? await fetchText(source) : readFile(source);
      this.#known.set(source, readNetworks(text));
      if (isAddress(source)) writePrivateFile(this.#fileOf(source), text);
    } catch (error) {
      const consequence = this.#known.has(source)
        ? 'the networks read before stay trusted'
        : 'its networks are not trusted until it can be read';
      log.warn(`could not read the networks of trusted_proxies_from; ${consequence}`, { source, error });
    }
  }

  #readFirst(file: string): true {
    try {
      this.#known.set(file, readNetworks(readFile(file)));
      return true;
    } catch (error) {
      throw new StartError(`cannot use ${file} of trusted_proxies_from: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }

  /** Returns false if it has never answered. */
  #remember(address: string): boolean {
    try {
      this.#known.set(address, readNetworks(readFile(this.#fileOf(address))));
      return true;
    } catch {
      return false;
    }
  }

  #fileOf(address: string): string {
    return join(this.#options.settings.data, `trusted-${hash('sha256', address).slice(0, 16)}.txt`);
  }
}

function isAddress(source: string): boolean {
  return /^https?:/.test(source);
}

function readFile(file: string): string {
  if (statSync(file).size > bytesMax) throw new Error(`it is larger than ${bytesMax} bytes`);
  return readFileSync(file, 'utf8');
}

/** Redirects from https:// to http:// fail: who can change the answer in transit decides which networks are trusted. */
async function fetchText(url: string): Promise<string> {
  const { status, body } = await sendRequest({
    url,
    rules: operatorRules,
    timeoutMs: answerMs,
    bytesMax,
    redirectsMax,
  });
  if (status !== 200) throw new Error(`it answers ${status}`);
  return body.toString('utf8');
}
