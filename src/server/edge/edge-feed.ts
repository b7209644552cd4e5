/**
 * Keeps an edge in step with a control plane, in this process or elsewhere. Each connection starts with everything and
 * continues with each change; while there is none, the edge keeps what it has. Requests never wait for the feed. If a
 * configuration cannot be put in force, the zone keeps the old one, and other zones are not affected.
 *
 * With a store, an edge starts with the configurations of its last run.
 */
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { BackOff, type Log } from '#base';
import type { FeedMessage } from '#control';
import type { Edge } from '#edge';
import type { ConfigurationStore } from './configuration-store.ts';
import { RefusedError } from './remote-control.ts';

type Configuration = Extract<FeedMessage, { kind: 'configuration' }>['configuration'];

export interface EdgeFeedOptions {
  /** Connects to the control plane; each connection starts with everything. */
  readonly connect: () => AsyncIterable<FeedMessage>;
  readonly store?: ConfigurationStore;
  readonly edge: Pick<Edge, 'update' | 'remove' | 'complete'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The delay before the first retry; it doubles for each further one. */
  readonly retryMsMin?: number;
}

const retryMsMax = 10_000;

export class EdgeFeed {
  readonly #options: EdgeFeedOptions;
  readonly #zones = new Set<string>();
  /** Zones that exist, but that the edge does not have yet. */
  #missing = new Set<string>();
  /** Resolves when the edge knows every zone, from the control plane or from its last run. */
  readonly complete: Promise<void>;
  /** Resolves when every zone was requested once, whether or not it could be loaded. */
  readonly firstPass: Promise<void>;
  readonly #complete = Promise.withResolvers<void>();
  readonly #firstPass = Promise.withResolvers<void>();

  constructor(options: EdgeFeedOptions) {
    this.#options = options;
    this.complete = this.#complete.promise;
    this.firstPass = this.#firstPass.promise;
    this.#restore();
    // A caller that waits for the first pass must not wait forever if it never comes.
    void this.#run().finally(() => this.#firstPass.resolve());
  }

  #restore(): void {
    const { store, edge, log } = this.#options;
    if (store === undefined) return;
    for (const zoneId of store.zoneIds) {
      try {
        edge.update(store.read(zoneId));
        this.#zones.add(zoneId);
      } catch (error) {
        log.warn('could not use the stored configuration of a zone; waiting for the control plane', {
          zone: zoneId,
          error,
        });
      }
    }
    if (store.isComplete) this.#setComplete();
  }

  async #run(): Promise<void> {
    const { connect, log, signal, retryMsMin = 200 } = this.#options;
    const backOff = new BackOff({ msMin: retryMsMin, msMax: retryMsMax });
    while (!signal.aborted) {
      try {
        for await (const message of connect()) {
          if (signal.aborted) return;
          await this.#take(message);
          backOff.reset();
        }
        if (!signal.aborted) log.warn('the control plane ended the configuration feed; reconnecting');
      } catch (error) {
        if (signal.aborted) return;
        const level = error instanceof RefusedError ? 'error' : 'warn';
        log[level](
          'could not read the configuration feed; keeping the current configurations and reconnecting',
          { error },
        );
      }
      await delay(backOff.next(), undefined, { signal }).catch(() => {});
    }
  }

  async #take(message: FeedMessage): Promise<void> {
    switch (message.kind) {
      case 'configuration':
        // Requests that arrived meanwhile go first, because compiling delays them.
        await nextTurn();
        if (!this.#options.signal.aborted) this.#put(message.configuration);
        return;
      case 'removed':
        return this.#remove(message.zone);
      case 'unavailable': {
        const { zone, reason, retryMs } = message;
        return this.#options.log.warn(
          'could not load the configuration of a zone; keeping the current one and trying again',
          {
            zone,
            reason,
            retryMs,
          },
        );
      }
      case 'complete':
        for (const zoneId of this.#zones) if (!message.zones.includes(zoneId)) this.#remove(zoneId);
        this.#missing = new Set(message.zones.filter((zoneId) => !this.#zones.has(zoneId)));
        this.#firstPass.resolve();
        return this.#completeIfNoneIsMissing();
      case 'heartbeat':
        return undefined;
    }
  }

  #completeIfNoneIsMissing(): void {
    if (this.#missing.size > 0) return;
    const { store, log } = this.#options;
    try {
      store?.complete();
    } catch (error) {
      log.warn('could not store that all zones are known; a restart will wait for the control plane', {
        error,
      });
    }
    this.#setComplete();
  }

  #put(configuration: Configuration): void {
    const { edge, log } = this.#options;
    const { version, zone } = configuration;
    const startMs = performance.now();
    let problems: ReturnType<Edge['update']>;
    try {
      problems = edge.update(configuration);
    } catch (error) {
      return log.error('could not put the configuration of a zone in force; keeping the current one', {
        zone: zone.id,
        error,
      });
    }
    this.#zones.add(zone.id);
    if (problems !== undefined) {
      const compileMs = Math.round(performance.now() - startMs);
      log.debug('a configuration is in force', { zone: zone.id, version, compileMs });
      this.#keep(configuration);
    }
    if (this.#missing.delete(zone.id)) this.#completeIfNoneIsMissing();
    for (const { ruleId, message } of problems ?? []) {
      log.warn('a rule is not in force because it cannot be compiled', {
        zone: zone.id,
        rule: ruleId,
        reason: message,
      });
    }
  }

  /** A failure affects only the next start. */
  #keep(configuration: Configuration): void {
    const { store, log } = this.#options;
    try {
      store?.keep(configuration);
    } catch (error) {
      log.warn('could not store the configuration of a zone; it is in force, but missing after a restart', {
        zone: configuration.zone.id,
        error,
      });
    }
  }

  #remove(zoneId: string): void {
    const { edge, store } = this.#options;
    this.#zones.delete(zoneId);
    edge.remove(zoneId);
    store?.remove(zoneId);
    if (this.#missing.delete(zoneId)) this.#completeIfNoneIsMissing();
  }

  #setComplete(): void {
    this.#options.edge.complete();
    this.#complete.resolve();
  }
}
