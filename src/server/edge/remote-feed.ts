/**
 * Keeps an edge in step with a control plane over the network. It starts with what it knew when it last ran; whenever it is
 * connected, it is told everything and then each change. While it is not, the edge goes on with what it has. A zone that cannot
 * be put in force stays as it was, and stops no other.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Edge } from '#edge';
import type { Log } from '../log.ts';
import type { ConfigurationStore } from './configuration-store.ts';
import { type FeedLine, RefusedError, type RemoteControl } from './remote-control.ts';

export interface RemoteFeedOptions {
  readonly control: Pick<RemoteControl, 'feed'>;
  readonly store: ConfigurationStore;
  readonly edge: Pick<Edge, 'update' | 'remove' | 'complete'>;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Before the first repetition; twice as long before each that follows. */
  readonly retryMsMin?: number;
}

const retryMsMax = 10_000;

export class RemoteFeed {
  readonly #options: RemoteFeedOptions;
  readonly #zones = new Set<string>();
  /** Zones that there are, and that the edge does not have. */
  #missing = new Set<string>();
  /** Resolves when the edge knows every zone, from the control plane or from the last time. */
  readonly complete: Promise<void>;
  readonly #complete = Promise.withResolvers<void>();

  constructor(options: RemoteFeedOptions) {
    this.#options = options;
    this.complete = this.#complete.promise;
    this.#restore();
    void this.#run();
  }

  #restore(): void {
    const { store, edge, log } = this.#options;
    for (const zoneId of store.zoneIds) {
      try {
        edge.update(store.read(zoneId));
        this.#zones.add(zoneId);
      } catch (error) {
        log.warn('a configuration that was kept cannot be used', { zone: zoneId, error });
      }
    }
    if (store.isComplete) this.#setComplete();
  }

  async #run(): Promise<void> {
    const { control, log, signal, retryMsMin = 200 } = this.#options;
    for (let retryMs = retryMsMin; !signal.aborted; retryMs = Math.min(retryMs * 2, retryMsMax)) {
      try {
        for await (const line of control.feed()) {
          this.#take(line);
          retryMs = retryMsMin;
        }
        log.warn('the control plane has ended the feed');
      } catch (error) {
        if (signal.aborted) return;
        const level = error instanceof RefusedError ? 'error' : 'warn';
        log[level]('the control plane does not feed this edge', { error });
      }
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  }

  #take(line: FeedLine): void {
    switch (line.kind) {
      case 'configuration':
        return this.#put(line.configuration);
      case 'removed':
        return this.#remove(line.zone);
      case 'complete':
        for (const zoneId of this.#zones) if (!line.zones.includes(zoneId)) this.#remove(zoneId);
        this.#missing = new Set(line.zones.filter((zoneId) => !this.#zones.has(zoneId)));
        return this.#completeIfNoneIsMissing();
    }
  }

  #completeIfNoneIsMissing(): void {
    if (this.#missing.size > 0) return;
    const { store, log } = this.#options;
    try {
      store.complete();
    } catch (error) {
      log.warn('it cannot be kept that every zone is known', { error });
    }
    this.#setComplete();
  }

  #put(configuration: Extract<FeedLine, { kind: 'configuration' }>['configuration']): void {
    const { edge, log } = this.#options;
    const { id } = configuration.zone;
    let problems: ReturnType<Edge['update']>;
    try {
      problems = edge.update(configuration);
    } catch (error) {
      return log.error('a configuration cannot be put in force', { zone: id, error });
    }
    this.#zones.add(id);
    if (problems !== undefined) this.#keep(configuration);
    if (this.#missing.delete(id)) this.#completeIfNoneIsMissing();
    for (const { ruleId, message } of problems ?? []) {
      log.warn('a rule is not in force because it cannot be read', {
        zone: id,
        rule: ruleId,
        reason: message,
      });
    }
  }

  /** The next start is poorer without it; this one is not. */
  #keep(configuration: Parameters<Edge['update']>[0]): void {
    const { store, log } = this.#options;
    try {
      store.keep(configuration);
    } catch (error) {
      log.warn('a configuration cannot be kept', { zone: configuration.zone.id, error });
    }
  }

  #remove(zoneId: string): void {
    const { edge, store } = this.#options;
    this.#zones.delete(zoneId);
    edge.remove(zoneId);
    store.remove(zoneId);
    if (this.#missing.delete(zoneId)) this.#completeIfNoneIsMissing();
  }

  #setComplete(): void {
    this.#options.edge.complete();
    this.#complete.resolve();
  }
}
