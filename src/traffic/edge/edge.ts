/**
 * The edge of one process: a proxy, the zones it serves, and their events. It receives configurations and keeps the
 * last ones until new ones arrive. With a loader, it loads the configuration of a zone when a request needs it, and
 * evicts the least recently used zones when there are too many.
 *
 * - A configuration is in force for every request whose head arrives after `update`; a request is judged by one
 *   configuration.
 * - Until `complete` is called, unknown names get status 503 instead of 421, because their zone may still follow.
 * - Managed rules are loaded with the first zone that has them, once for all edges of a process.
 */
import type { AddressInfo } from 'node:net';
import { EventRecorder, type RecorderCounts, type RecorderOptions } from '#events';
import {
  type AccountPart,
  type CompiledZone,
  type ConfiguredLoadBalancer,
  type CountedKey,
  keyOfOrigin,
  type SharedCount,
  type ZoneConfiguration,
  type ZonePart,
} from '#firewall';
import {
  type ProxyOptions,
  type ProxyStats,
  type ServedProxy,
  serveProxy,
  type TlsOptions,
} from './proxy/serve-proxy.ts';
import { emptyGeoDatabase, type GeoDatabase } from './judging/geo.ts';
import {
  type JudgeOptions,
  type JudgingCounts,
  RequestJudge,
  type VerdictCounts,
} from './zones/request-judge.ts';
import { type PatternTables, readPatternTables } from '#expressions';
import type { CoreRules } from '#seclang';
import { managedParts, prepareCoreRules, replaceCoreRules } from '#managed';
import { Asker, type QuestionCounts } from './asking/asker.ts';
import { type Certificates, createTlsOptions } from './tls-options.ts';
import { type KnownZone, ZoneTable } from './zones/zone-table.ts';
import { parseNetworkSet } from '#addresses';
import { realClock } from '#base';
import type { BalancerState } from './balancing/balancer.ts';
import { OriginHealth, type OriginState } from './balancing/origin-health.ts';
import { type OriginCounts, OriginLoads } from './balancing/origin-loads.ts';
import { Learner, type LearnerOptions } from './learning/learner.ts';
import { RateCounters, type RateCountersOptions } from './rates/rate-counters.ts';

export interface EdgeListener {
  /** Ignored if there is a `handle`. */
  readonly port: number;
  /** A bound socket, which other processes may also accept from. */
  readonly handle?: object;
  /** Loopback by default. */
  readonly host?: string;
  readonly isSecure?: boolean;
}

export interface EdgeOptions
  extends Omit<ProxyOptions, 'judge' | 'listeners' | 'trustedProxies' | 'proxyProtocol'>, Certificates {
  readonly listeners: readonly EdgeListener[];
  /** Networks of peers whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies?: readonly string[];
  /** Networks of peers that start each connection with a PROXY protocol header. */
  readonly proxyProtocol?: readonly string[];
  /** Signs challenges and clearances: at least 32 bytes, the same in all processes that serve a zone. */
  readonly secret: Uint8Array;
  readonly writeEvents: RecorderOptions['write'];
  readonly geo?: GeoDatabase;
  /** How many zones stay loaded at the same time, if there is a loader. */
  readonly loadedZonesMax?: number;
  /** Called when the judging thread had to be killed. */
  readonly onThreadEnd?: JudgeOptions['onThreadEnd'];
  /** Passes the counts of this process to other processes that serve the same zones. */
  readonly shareRates?: RateCountersOptions['share'];
  /** How many processes of this host share their counts. */
  readonly sharingProcesses?: number | undefined;
  /** No other process on this host serves the same zones. */
  readonly isAlone?: boolean | undefined;
  /** Called when this process has marked an origin of a pool because the origin did not answer. */
  readonly onOriginMark?: (state: OriginState) => void;
  /** Called with the load balancers of all zones whenever the account part of the configuration has changed. */
  readonly onLoadBalancers?: ((balancers: readonly ConfiguredLoadBalancer[]) => void) | undefined;
  /** Called with the ids of the zones that log every request. */
  readonly onRequestLogs?: ((zones: readonly string[]) => void) | undefined;
  /** Called before rules are compiled, which can take long; the result is disposed of afterwards. */
  readonly onCompile?: (() => Disposable) | undefined;
  /** Receives the learned values of a zone. Without it, the edge does not learn. */
  readonly sendLearned?: LearnerOptions['send'] | undefined;
}

export interface EdgeStats {
  readonly proxy: ProxyStats;
  readonly verdicts: VerdictCounts;
  readonly judging: JudgingCounts;
  readonly events: RecorderCounts;
  /** For all patterns of the process. */
  readonly patternTables: PatternTables;
  readonly zones: number;
  readonly zonesLoaded: number;
  readonly rates: RateCounters['counts'];
  readonly pools: readonly OriginCounts[];
  /** Questions about visitors. */
  readonly questions: QuestionCounts;
}

/** Loads the configurations of zones that requests need. */
export interface EdgeLoader {
  /** Resolves when `updateZone` was called, or when the configuration is not available for now. */
  load(zoneId: string): Promise<void>;
  /**
   * Called after a change of the account part when a zone was recompiled (with the rules that are not in force) or
   * failed to compile.
   */
  onRecompiled(zoneId: string, result: CompiledZone['problems'] | Error): void;
}

interface EdgeParts {
  readonly zones: ZoneTable;
  readonly recorder: EventRecorder;
  readonly judge: RequestJudge;
  readonly learner: Learner | undefined;
  readonly proxy: ServedProxy;
  readonly tls: TlsOptions;
  readonly rates: RateCounters;
  readonly balancing: BalancerState;
  readonly asker: Asker;
  readonly onLoadBalancers: EdgeOptions['onLoadBalancers'];
  readonly onRequestLogs: EdgeOptions['onRequestLogs'];
}

export class Edge implements AsyncDisposable {
  readonly #parts: EdgeParts;
  /** The digest of the OWASP rules that the zones are compiled with. */
  #coreDigest: string | undefined;

  private constructor(parts: EdgeParts) {
    this.#parts = parts;
  }

  static async start(options: EdgeOptions): Promise<Edge> {
    const {
      secret,
      writeEvents,
      geo = emptyGeoDatabase,
      onError,
      listeners,
      certificateOf: _certificateOf,
      proofOf: _proofOf,
      trustedProxies = [],
      proxyProtocol = [],
      loadedZonesMax,
      onCompile,
      onThreadEnd,
      shareRates,
      sharingProcesses,
      isAlone,
      onOriginMark,
      onLoadBalancers,
      onRequestLogs,
      sendLearned,
      ...proxyOptions
    } = options;
    const reported = onError === undefined ? {} : { onError };
    const zones = new ZoneTable({
      ...managedParts,
      prepareManaged: prepareCoreRules,
      onCompile,
      ...(loadedZonesMax === undefined ? {} : { loadedZonesMax }),
    });
    const recorder = new EventRecorder({ write: writeEvents, ...reported });
    const rates = new RateCounters({ share: shareRates, processes: sharingProcesses, isAlone });
    const balancing = { health: new OriginHealth(onOriginMark), loads: new OriginLoads(), clock: realClock };
    const learner = sendLearned && new Learner({ send: sendLearned });
    // Questions belong to requests, so the proxy exists by the time one is sent.
    const asker = new Asker((question, signal) => proxy.sendQuestion(question, signal));
    const judge = new RequestJudge({
      ...{ zones, recorder, geo, secret, onThreadEnd, rates, balancing, learner, asker },
    });
    const tls = createTlsOptions(zones, options);
    const proxy = await serveProxy({
      ...proxyOptions,
      ...reported,
      trustedProxies: parseNetworkSet(trustedProxies),
      proxyProtocol: parseNetworkSet(proxyProtocol),
      listeners: addTls(listeners, tls),
      judge: judge.judge,
    });
    return new Edge({
      ...{ zones, recorder, judge, learner, proxy, tls, rates, balancing, asker },
      ...{ onLoadBalancers, onRequestLogs },
    });
  }

  /** Opens more listeners, for an edge that must know its zones before it accepts connections. */
  listen(listeners: readonly EdgeListener[]): Promise<void> {
    return this.#parts.proxy.listen(addTls(listeners, this.#parts.tls));
  }

  /** Accepts requests of Workers on a Unix socket: they go to the origin of a zone. */
  listenToWorkers(workerPath: string): Promise<void> {
    return this.#parts.proxy.listen([{ port: 0, workerPath }]);
  }

  /** Replaces the networks whose `X-Forwarded-For` is trusted. */
  trust(trustedProxies: readonly string[]): void {
    this.#parts.proxy.trust(parseNetworkSet(trustedProxies));
  }

  /** In the order of the listeners. */
  get addresses(): readonly AddressInfo[] {
    return this.#parts.proxy.addresses;
  }

  /**
   * Compiles a zone synchronously. Returns the rules that are not in force because they cannot be compiled; undefined
   * if the zone is unchanged.
   */
  update(configuration: ZoneConfiguration): CompiledZone['problems'] | undefined {
    return this.#parts.zones.update(configuration)?.rules.problems;
  }

  /**
   * Like `update`, for the zone's own part of its configuration; `updateAccount` sets the other part. The edge compiles
   * it in steps between which it serves requests. The zone is in force when this resolves.
   */
  async updateZone(part: ZonePart): Promise<CompiledZone['problems'] | undefined> {
    return (await this.#parts.zones.updateZone(part))?.rules.problems;
  }

  /** Replaces the configuration that all zones share. It is in force for the next request of each zone. */
  updateAccount(part: AccountPart): void {
    this.#parts.zones.updateAccount(part);
    const { loadBalancers = [] } = part;
    const keys = new Set(loadBalancers.flatMap(listOriginKeys));
    this.#parts.balancing.health.retain(keys);
    this.#parts.balancing.loads.retain(keys);
    this.#parts.onLoadBalancers?.(loadBalancers);
    this.#parts.onRequestLogs?.(part.requestLogs ?? []);
  }

  /** Replaces the OWASP rules for all edges of a process. They are in force for the next request of each zone. */
  async updateCoreRules(rules: CoreRules | undefined): Promise<void> {
    if (rules?.digest === this.#coreDigest) return;
    await replaceCoreRules(rules);
    this.#coreDigest = rules?.digest;
    this.#parts.judge.replaceCoreRules(rules);
    this.#parts.zones.renew();
  }

  /** Makes zones known. The loader loads each one when a request needs it. */
  announce(zones: Iterable<KnownZone>): void {
    for (const zone of zones) this.#parts.zones.announce(zone);
  }

  /** The ids of all known zones. */
  listZones(): readonly string[] {
    return this.#parts.zones.listIds();
  }

  isLoaded(zoneId: string): boolean {
    return this.#parts.zones.isLoaded(zoneId);
  }

  setLoader({ load, onRecompiled }: EdgeLoader): void {
    this.#parts.zones.loader = {
      load,
      onRecompiled: (zoneId, result) =>
        onRecompiled(zoneId, result instanceof Error ? result : result.rules.problems),
    };
  }

  /** Adds the counts of another process that serves the same zones. */
  receiveRates(counts: readonly SharedCount[]): void {
    this.#parts.rates.receive(counts);
  }

  /** Returns the counts that were not shared yet, for another process that asks, and marks them as shared. */
  takeUnsharedRates(): readonly SharedCount[] {
    return this.#parts.rates.takeUnshared();
  }

  get hasRateKeys(): boolean {
    return this.#parts.rates.hasKeys;
  }

  /** The keys that rate limits count, the fullest first. Takes milliseconds if there are many. */
  listRateKeys(): CountedKey[] {
    return this.#parts.rates.listFullest();
  }

  /** Removes rate limit keys that a user has released. */
  releaseRates(keys: readonly string[]): void {
    this.#parts.rates.release(keys);
  }

  /** Takes over the origin states that a monitor or another process that serves the same zones reports. */
  receiveOriginStates(states: readonly OriginState[]): void {
    this.#parts.balancing.health.receive(states);
  }

  remove(zoneId: string): void {
    this.#parts.zones.remove(zoneId);
  }

  /** Must be called when every zone has been passed to `update`. */
  complete(): void {
    this.#parts.zones.isComplete = true;
  }

  stats(): EdgeStats {
    return {
      proxy: this.#parts.proxy.stats(),
      verdicts: this.#parts.judge.counts,
      judging: this.#parts.judge.judgingCounts,
      events: this.#parts.recorder.counts,
      patternTables: readPatternTables(),
      zones: this.#parts.zones.size,
      zonesLoaded: this.#parts.zones.loadedSize,
      rates: this.#parts.rates.counts,
      pools: this.#parts.balancing.loads.list(),
      questions: this.#parts.asker.counts,
    };
  }

  /** Sends what was learned so far. */
  async describeLearned(): Promise<void> {
    await this.#parts.learner?.tell();
  }

  /** Resolves when the events of all answered requests are written or dropped. */
  flushEvents(): Promise<void> {
    return this.#parts.recorder.flush();
  }

  /** Stops accepting, waits for running requests, and writes the pending events. */
  async close(options?: { readonly graceMs?: number }): Promise<void> {
    await this.#parts.proxy.close(options);
    this.#parts.judge.close();
    this.#parts.rates.close();
    await this.#parts.learner?.close();
    await this.#parts.recorder.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function listOriginKeys({ pools, fallback }: ConfiguredLoadBalancer): string[] {
  return [...pools, fallback].flatMap((pool) => pool.origins.map((origin) => keyOfOrigin(pool, origin)));
}

function addTls(listeners: readonly EdgeListener[], tls: TlsOptions): ProxyOptions['listeners'] {
  return listeners.map(({ isSecure, ...where }) => (isSecure === true ? { ...where, tls } : where));
}
