/**
 * The version of the OWASP rules that `gatehouse crs` has put in force in the data directory, followed while the
 * program runs. If a version cannot be read, the previous one stays in force.
 */
import { type FSWatcher, watch } from 'node:fs';
import type { Log } from '#base';
import { makeDirectory } from '#files';
import { type CoreRules, VersionStore } from '#seclang';

export interface InstalledCoreRulesOptions {
  /** The data directory. */
  readonly data: string;
  readonly log: Log;
  /** Applies the version at the start, unless there is a reason not to; returns whether any rules are in force. */
  readonly begin: (rules: CoreRules | undefined) => Promise<boolean>;
  /** Applies a version; undefined for none. */
  readonly take: (rules: CoreRules | undefined) => Promise<void>;
}

export class InstalledCoreRules implements Disposable {
  readonly #options: InstalledCoreRulesOptions;
  readonly #store: VersionStore;
  #watcher: FSWatcher | undefined;
  #taken: string | undefined;
  #isInForce = false;
  /** The last check of the directory: each waits for the previous one. */
  #looking = Promise.resolve();

  private constructor(options: InstalledCoreRulesOptions) {
    this.#options = options;
    this.#store = new VersionStore(options.data);
  }

  /** Resolves when the current version was applied. */
  static async follow(options: InstalledCoreRulesOptions): Promise<InstalledCoreRules> {
    const followed = new InstalledCoreRules(options);
    followed.#watch();
    followed.#looking = followed.#begin();
    await followed.#looking;
    return followed;
  }

  /** Whether there is a version. */
  get isInForce(): boolean {
    return this.#isInForce;
  }

  [Symbol.dispose](): void {
    this.#watcher?.close();
  }

  #watch(): void {
    const { log } = this.#options;
    const onError = (error: unknown): void =>
      log.warn('could not watch the installed OWASP rules; another version is in force after a restart', {
        error,
      });
    try {
      makeDirectory(this.#store.directory);
      this.#watcher = watch(this.#store.directory, { persistent: false }, () => void this.#look());
      this.#watcher.on('error', onError);
    } catch (error) {
      onError(error);
    }
  }

  async #begin(): Promise<void> {
    const { begin, log } = this.#options;
    try {
      const flaw = this.#store.mend();
      if (flaw !== undefined) log.warn(`${flaw}: rewritten`);
      const rules = this.#store.readCurrent();
      this.#isInForce = await begin(rules);
      this.#taken = rules?.digest;
      if (this.#isInForce) log.info('OWASP rules are in force', { version: rules?.version });
    } catch (error) {
      log.error('could not use the installed OWASP rules; none are in force', { error });
    }
  }

  #look(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#takeCurrent());
    return this.#looking;
  }

  async #takeCurrent(): Promise<void> {
    const { log, take } = this.#options;
    try {
      const rules = this.#store.readCurrent();
      if (rules?.digest === this.#taken) return;
      await take(rules);
      this.#taken = rules?.digest;
      this.#isInForce = rules !== undefined;
      log.info(rules === undefined ? 'no OWASP rules are in force' : 'OWASP rules are in force', {
        version: rules?.version,
      });
    } catch (error) {
      log.error('could not use the installed OWASP rules; keeping what is in force', { error });
    }
  }
}
