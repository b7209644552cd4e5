/**
 * Keeps an edge in step with a control plane, in this process or elsewhere. Each connection starts with the current
 * state and continues with each change; while there is no connection, the edge keeps its configurations. If a
 * configuration cannot be put in force, the zone keeps the old one, and other zones are not affected.
 *
 * The edge has the names of all zones. The configuration of a zone is put in force when a request needs it, and after
 * that whenever it changes, while the edge keeps the zone loaded:
 *
 * - Without a store, in the process of the control plane, it is requested from the feed.
 * - With a store, all configurations are on disk, and it is read from there. So an edge can start while its control
 *   plane is unavailable, with the configurations of its last run.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { BackOff, type Log } from '#base';
import type { FeedMessage, WantedZones } from '#control';
import type { CoreRules } from '#seclang';
import type { Edge, EdgeLoader } from '#edge';
import { AskedZones } from './asked-zones.ts';
import type { ConfigurationStore } from './configuration-store.ts';
import { RefusedError } from './remote-control.ts';

type ZonePart = Extract<FeedMessage, { kind: 'configuration' }>['configuration'];
type NamedZone = Extract<FeedMessage, { kind: 'zones' }>['zones'][number];
type Problems = NonNullable<Awaited<ReturnType<Edge['updateZone']>>>;

/** The functions of an edge that the feed uses. */
export type FedEdge = Pick<
  Edge,
  | 'announce'
  | 'updateAccount'
  | 'updateCoreRules'
  | 'updateZone'
  | 'isLoaded'
  | 'setLoader'
  | 'remove'
  | 'complete'
>;

export interface EdgeFeedOptions {
  /** Connects to the control plane. `wanted` is for a control plane that sends configurations on demand. */
  readonly connect: (wanted: WantedZones) => AsyncIterable<FeedMessage>;
  readonly store?: ConfigurationStore;
  readonly edge: FedEdge;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The delay before the first retry; it doubles for each further one. */
  readonly retryMsMin?: number;
  /** Waits for that delay, or until the signal. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const retryMsMax = 10_000;

/** Zones whose rules are compiled concurrently, in turns. */
const updatesMax = 16;

export class EdgeFeed implements EdgeLoader {
  readonly #options: EdgeFeedOptions;
  readonly #zones = new Map<string, NamedZone>();
  /** The zones that the control plane has named since the feed was connected. */
  readonly #named = new Set<string>();
  /** Zones that exist, but that the store does not have yet; undefined until all zones were named. */
  #missing: Set<string> | undefined;
  readonly #asked = new AskedZones();
  /** Configurations that are being put in force, with the ids of their zones. */
  readonly #updates = new Map<Promise<void>, string>();
  /** Resolves when the edge knows every zone, from the control plane or from its last run. */
  readonly complete: Promise<void>;
  /** Resolves when every needed zone was requested once, loaded or not. */
  readonly firstPass: Promise<void>;
  readonly #complete = Promise.withResolvers<void>();
  readonly #firstPass = Promise.withResolvers<void>();

  constructor(options: EdgeFeedOptions) {
    this.#options = options;
    this.complete = this.#complete.promise;
    this.firstPass = this.#firstPass.promise;
    options.edge.setLoader(this);
    this.#restore();
    // A caller that waits for the first pass must not wait forever if it never comes.
    void this.#run().finally(() => this.#firstPass.resolve());
  }

  readonly load = async (zoneId: string): Promise<void> => {
    const { store } = this.#options;
    if (store === undefined) return this.#asked.ask(zoneId);
    if (!store.has(zoneId)) return undefined;
    try {
      await this.#putInForce(store.read(zoneId));
    } catch (error) {
      this.#options.log.error('could not read the stored configuration of a zone', { zone: zoneId, error });
    }
  };

  readonly onRecompiled = (zoneId: string, result: Problems | Error): void => {
    if (result instanceof Error) this.#logFailure(zoneId, result);
    else this.#logProblems(zoneId, result);
  };

  #restore(): void {
    const { store, edge, log } = this.#options;
    const account = store?.readAccount();
    if (store === undefined || account === undefined) return;
    edge.updateAccount(account);
    void this.#restoreCoreRules(store);
    const zones = store.listZones((zone, error) =>
      log.warn('could not use the stored configuration of a zone; waiting for the control plane', {
        zone,
        error,
      }),
    );
    this.#announce(zones);
    if (store.isComplete) this.#setComplete();
  }

  /** Zones are loaded by their first request, which is evaluated by these rules or, briefly, without them. */
  async #restoreCoreRules(store: ConfigurationStore): Promise<void> {
    const { edge, log } = this.#options;
    try {
      const rules = store.readCoreRules();
      if (rules !== undefined) await edge.updateCoreRules(rules);
    } catch (error) {
      log.warn('could not use the stored OWASP rules; waiting for the control plane', { error });
    }
  }

  async #run(): Promise<void> {
    const { connect, log, signal, retryMsMin = 200, wait = waitForDelay } = this.#options;
    const backOff = new BackOff({ msMin: retryMsMin, msMax: retryMsMax });
    while (!signal.aborted) {
      this.#named.clear();
      this.#missing = undefined;
      try {
        for await (const message of connect(this.#wanted)) {
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
      await wait(backOff.next(), signal);
    }
  }

  readonly #wanted: WantedZones = {
    has: (zoneId) => this.#isNeeded(zoneId),
    onAsked: (listener) => this.#asked.listen(listener),
  };

  #isNeeded(zoneId: string): boolean {
    if (this.#options.edge.isLoaded(zoneId) || this.#asked.has(zoneId)) return true;
    // No request waits any more, but a newer configuration must follow one that is being put in force.
    return this.#updates.values().some((id) => id === zoneId);
  }

  async #take(message: FeedMessage): Promise<void> {
    switch (message.kind) {
      case 'account':
        return this.#takeAccount(message.account);
      case 'core-rules':
        return this.#takeCoreRules(message.rules ?? undefined);
      case 'zones':
        for (const { id } of message.zones) this.#named.add(id);
        return this.#announce(message.zones);
      case 'configuration':
        return this.#takeZone(message.configuration);
      case 'removed':
        return this.#remove(message.zone);
      case 'unavailable': {
        const { zone, reason, retryMs } = message;
        this.#asked.answer(zone);
        return this.#options.log.warn(
          'could not load the configuration of a zone; keeping the current one and trying again',
          { zone, reason, retryMs },
        );
      }
      case 'complete':
        for (const zoneId of this.#zones.keys()) if (!this.#named.has(zoneId)) this.#remove(zoneId);
        this.#missing = this.#findMissing();
        this.#firstPass.resolve();
        return this.#completeIfNoneIsMissing();
      case 'heartbeat':
        return undefined;
    }
  }

  #findMissing(): Set<string> {
    const { store } = this.#options;
    if (store === undefined) return new Set();
    return new Set([...this.#zones.keys()].filter((zoneId) => !store.has(zoneId)));
  }

  #completeIfNoneIsMissing(): void {
    if (this.#missing === undefined || this.#missing.size > 0) return;
    const { store } = this.#options;
    this.#tryToStore('that all zones are known; a restart will wait for the control plane', {}, () =>
      store?.complete(this.#zones.values()),
    );
    this.#setComplete();
  }

  #announce(zones: readonly NamedZone[]): void {
    for (const zone of zones) this.#zones.set(zone.id, zone);
    this.#options.edge.announce(zones);
  }

  #takeAccount(account: Parameters<FedEdge['updateAccount']>[0]): void {
    const { edge, store } = this.#options;
    edge.updateAccount(account);
    this.#tryToStore('what the zones share; it is in force, but missing after a restart', {}, () =>
      store?.keepAccount(account),
    );
  }

  /** If they cannot be used, the previous version stays in force. */
  async #takeCoreRules(rules: CoreRules | undefined): Promise<void> {
    const { edge, store, log } = this.#options;
    try {
      await edge.updateCoreRules(rules);
      if (rules !== undefined) log.debug('OWASP rules are in force', { version: rules.version });
    } catch (error) {
      const version = rules?.version;
      return log.error('could not use the OWASP rules; keeping the previous version', { version, error });
    }
    this.#tryToStore('the OWASP rules; they are in force, but missing after a restart', {}, () =>
      store?.keepCoreRules(rules),
    );
  }

  /** Resolves when another one can be started: rules of a zone that take long to compile do not delay other zones. */
  async #takeZone(part: ZonePart): Promise<void> {
    const { store } = this.#options;
    const { id } = part.zone;
    this.#tryToStore('the configuration of a zone; a restart will use an older one', { zone: id }, () =>
      store?.keep(part),
    );
    if (this.#missing?.delete(id) === true) this.#completeIfNoneIsMissing();
    if (!this.#isNeeded(id)) return;
    const update = this.#putInForce(part).then(() => {
      this.#updates.delete(update);
      this.#asked.answer(id);
    });
    this.#updates.set(update, id);
    while (this.#updates.size >= updatesMax) await Promise.race(this.#updates.keys());
  }

  /** Never rejects. */
  async #putInForce(part: ZonePart): Promise<void> {
    const { edge, log } = this.#options;
    const { version, zone } = part;
    const startMs = performance.now();
    try {
      const problems = await edge.updateZone(part);
      if (problems === undefined) return;
      const compileMs = Math.round(performance.now() - startMs);
      log.debug('a configuration is in force', { zone: zone.id, version, compileMs });
      this.#logProblems(zone.id, problems);
    } catch (error) {
      this.#logFailure(zone.id, error);
    }
  }

  #logFailure(zone: string, error: unknown): void {
    const message = 'could not put the configuration of a zone in force; keeping the current one';
    this.#options.log.error(message, { zone, error });
  }

  #logProblems(zone: string, problems: Problems): void {
    for (const { ruleId, message } of problems) {
      this.#options.log.warn('a rule is not in force because it cannot be compiled', {
        zone,
        rule: ruleId,
        reason: message,
      });
    }
  }

  /** A failure affects only the next start. */
  #tryToStore(what: string, fields: Readonly<Record<string, string>>, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.log.warn(`could not store ${what}`, { ...fields, error });
    }
  }

  #remove(zoneId: string): void {
    const { edge, store } = this.#options;
    this.#zones.delete(zoneId);
    edge.remove(zoneId);
    store?.remove(zoneId);
    this.#asked.answer(zoneId);
    if (this.#missing?.delete(zoneId) === true) this.#completeIfNoneIsMissing();
  }

  #setComplete(): void {
    this.#options.edge.complete();
    this.#complete.resolve();
  }
}

async function waitForDelay(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
