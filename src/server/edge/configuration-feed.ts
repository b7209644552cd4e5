/**
 * Brings the configurations of zones from a control plane to an edge: all of them at the start, and each again when it may have
 * changed. Requests never wait for it, and while the control plane does not answer, the edge goes on with what it has.
 *
 * - What is asked for after a change includes it, so the last answer for a zone is the newest: there is one question per zone
 *   at a time, and changes that come while it is under way lead to one more.
 * - A zone that changes all the time is compiled all the time: it rests in between, by default nine times as long as it took, so that
 *   requests keep most of the processor; never so long that a change takes more than a second.
 * - A question that fails is asked again, later and later, until it succeeds or the zone changes again.
 * - Once every zone that was there at the start is in place, the edge is told that it knows them all.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Edge } from '#edge';
import type { Log } from '#base';

type Configuration = Parameters<Edge['update']>[0];

export interface ConfigurationSource {
  zoneIds(): Iterable<string>;
  /** Undefined if there is no such zone any more. */
  configuration(zoneId: string): Promise<Configuration | undefined>;
  /** Until the function that is returned is called. */
  onChange(listener: (zoneId: string) => void): () => void;
}

export interface FeedOptions {
  readonly source: ConfigurationSource;
  readonly edge: Pick<Edge, 'update' | 'remove' | 'complete'>;
  readonly log: Log;
  /** Before the first repetition; twice as long before each that follows. */
  readonly retryMsMin?: number;
  /** How long a zone rests, in multiples of what it took. */
  readonly restShare?: number;
}

const retryMsMax = 10_000;

const restMsMax = 500;

/** Of one zone, while something is to be done. */
interface Errand {
  /** It changed after the question was asked. */
  isStale: boolean;
  /** Ends the wait before a repetition. */
  wake: (() => void) | undefined;
  endRest: (() => void) | undefined;
  readonly firstTry: PromiseWithResolvers<void>;
}

export class ConfigurationFeed {
  readonly #options: FeedOptions;
  readonly #errands = new Map<string, Errand>();
  /** Zones of the start that are not in place. */
  readonly #missing = new Set<string>();
  readonly #stopListening: () => void;
  #isStopped = false;

  private constructor(options: FeedOptions) {
    this.#options = options;
    this.#stopListening = options.source.onChange((zoneId) => void this.#fetch(zoneId));
  }

  /** Resolves when every zone was asked for once, whether it could be had or not. */
  static async start(options: FeedOptions): Promise<ConfigurationFeed> {
    const feed = new ConfigurationFeed(options);
    const zoneIds = [...options.source.zoneIds()];
    for (const zoneId of zoneIds) feed.#missing.add(zoneId);
    if (zoneIds.length === 0) options.edge.complete();
    // One after the other: nothing else is to be done yet, and less is held at a time.
    for (const zoneId of zoneIds) await feed.#fetch(zoneId);
    return feed;
  }

  stop(): void {
    this.#isStopped = true;
    this.#stopListening();
    for (const { wake, endRest } of this.#errands.values()) {
      wake?.();
      endRest?.();
    }
  }

  #fetch(zoneId: string): Promise<void> {
    const known = this.#errands.get(zoneId);
    if (known !== undefined) {
      known.isStale = true;
      known.wake?.();
      return known.firstTry.promise;
    }
    const errand: Errand = {
      isStale: false,
      wake: undefined,
      endRest: undefined,
      firstTry: Promise.withResolvers(),
    };
    this.#errands.set(zoneId, errand);
    void this.#run(zoneId, errand);
    return errand.firstTry.promise;
  }

  async #run(zoneId: string, errand: Errand): Promise<void> {
    const { retryMsMin = 100, restShare = 9 } = this.#options;
    let retryMs = retryMsMin;
    do {
      errand.isStale = false;
      const startMs = performance.now();
      if (await this.#bring(zoneId)) {
        retryMs = retryMsMin;
        errand.firstTry.resolve();
        await this.#rest(errand, (performance.now() - startMs) * restShare);
      } else {
        errand.isStale = true;
        errand.firstTry.resolve();
        await this.#pause(errand, retryMs);
        retryMs = Math.min(retryMs * 2, retryMsMax);
      }
    } while (errand.isStale && !this.#isStopped);
    this.#errands.delete(zoneId);
    errand.firstTry.resolve();
  }

  /** Changes wait for its end. */
  async #rest(errand: Errand, ms: number): Promise<void> {
    if (ms === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(ms, restMsMax));
    errand.endRest = resolve;
    if (this.#isStopped) resolve();
    await promise;
    clearTimeout(timer);
    errand.endRest = undefined;
  }

  async #pause(errand: Errand, ms: number): Promise<void> {
    if (this.#isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    errand.wake = resolve;
    await promise;
    clearTimeout(timer);
    errand.wake = undefined;
  }

  /** Answers whether the edge has what the control plane has. */
  async #bring(zoneId: string): Promise<boolean> {
    const { source, edge, log } = this.#options;
    try {
      const configuration = await source.configuration(zoneId);
      // Requests that have come meanwhile go first: compiling holds them up.
      await nextTurn();
      if (this.#isStopped) return true;
      if (configuration === undefined) edge.remove(zoneId);
      else this.#put(configuration);
    } catch (error) {
      if (!this.#isStopped) log.warn('the configuration of a zone could not be had', { zone: zoneId, error });
      return this.#isStopped;
    }
    if (this.#missing.delete(zoneId) && this.#missing.size === 0) edge.complete();
    return true;
  }

  #put(configuration: Configuration): void {
    const { edge, log } = this.#options;
    const startMs = performance.now();
    const problems = edge.update(configuration);
    if (problems === undefined) return;
    const { version, zone } = configuration;
    log.debug('a configuration is in force', {
      zone: zone.id,
      version,
      compileMs: Math.round(performance.now() - startMs),
    });
    for (const { ruleId, message } of problems) {
      log.warn('a rule is not in force because it cannot be read', {
        zone: zone.id,
        rule: ruleId,
        reason: message,
      });
    }
  }
}
