/**
 * The edge of one process: a proxy, the zones it serves, and its events. It receives configurations, and keeps those that it
 * has while there are no new ones. With a loader, it asks for the configuration of a zone when a request needs it, and drops
 * those used longest ago when there are many.
 *
 * - A configuration is in force for every request whose head arrives after `update`; a request is judged by one
 * configuration.
 * - Until `complete` is called, unknown names are answered with 503 instead of 421, because their zone may still follow.
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
} from './evaluation/judge.ts';
import { type PatternTables, readPatternTables } from '#expressions';
import type { CoreRules } from '#seclang';
import { managedParts, prepareCoreRules, replaceCoreRules } from '#managed';
import { Asker, type QuestionCounts } from './asking/asker.ts';
import { type Certificates, createTlsOptions } from './tls-options.ts';
import { type KnownZone, ZoneTable } from './evaluation/zone-table.ts';
import { parseNetworkSet, realClock } from '#base';
import type { BalancerState } from './balancing/balancer.ts';
import { OriginHealth, type OriginState } from './balancing/origin-health.ts';
import { type OriginCounts, OriginLoads } from './balancing/origin-loads.ts';
import { Learner, type LearnerOptions } from './learning/learner.ts';
import { RateCounters, type RateCountersOptions } from './rates/rate-counters.ts';

export interface EdgeListener {
  /** Ignored if there is a `handle`. */
  readonly port: number;
  /** A socket that is bound already and that other processes may accept from, too. */
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
  /** Networks of peers that begin each connection with a header of the PROXY protocol. */
  readonly proxyProtocol?: readonly string[];
  /** Signs challenges and clearances: at least 32 bytes, the same in all processes that serve a zone. */
  readonly secret: Uint8Array;
  readonly writeEvents: RecorderOptions['write'];
  readonly geo?: GeoDatabase;
  /** Zones that stay loaded at the same time, if there is a loader. */
  readonly loadedZonesMax?: number;
  /** Called when the thread that judges long requests had to be ended. */
  readonly onThreadEnd?: JudgeOptions['onThreadEnd'];
  /** Tells other processes that serve the same zones what this one has counted. */
  readonly shareRates?: RateCountersOptions['share'];
  /** How many processes of this host share what they count. */
  readonly sharingProcesses?: number | undefined;
  /** No other process on this host serves the same zones. */
  readonly isAlone?: boolean | undefined;
  /** Called when this process has marked an origin of a pool, because it did not answer. */
  readonly onOriginMark?: (state: OriginState) => void;
  /** Called with the load balancers of all zones whenever what zones share has changed. */
  readonly onLoadBalancers?: ((balancers: readonly ConfiguredLoadBalancer[]) => void) | undefined;
  /** Called with the ids of the zones whose every request is to be told. */
  readonly onRequestLogs?: ((zones: readonly string[]) => void) | undefined;
  /** Called before rules are compiled, which can take long; the result is disposed of after that. */
  readonly onCompile?: (() => Disposable) | undefined;
  /** Takes what was learned of the values of a zone. Zones learn nothing without it. */
  readonly sendLearned?: LearnerOptions['send'] | undefined;
}

export interface EdgeStats {
  readonly proxy: ProxyStats;
  readonly verdicts: VerdictCounts;
  readonly judging: JudgingCounts;
  readonly events: RecorderCounts;
  /** Of all patterns of the process. */
  readonly patternTables: PatternTables;
  readonly zones: number;
  readonly zonesLoaded: number;
  readonly rates: RateCounters['counts'];
  readonly pools: readonly OriginCounts[];
  /** About visitors. */
  readonly questions: QuestionCounts;
}

/** Brings the configurations of zones that requests need. */
export interface EdgeLoader {
  /** Resolves when `updateZone` was called, or when the configuration cannot be had for now. */
  load(zoneId: string): Promise<void>;
  /** Called when a change of what zones share has replaced a zone, with the rules that are not in force; or could not. */
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
  readonly #zones: ZoneTable;
  readonly #recorder: EventRecorder;
  readonly #judge: RequestJudge;
  readonly #learner: Learner | undefined;
  readonly #proxy: ServedProxy;
  readonly #tls: TlsOptions;
  readonly #rates: RateCounters;
  readonly #balancing: EdgeParts['balancing'];
  readonly #asker: Asker;
  readonly #onLoadBalancers: EdgeOptions['onLoadBalancers'];
  readonly #onRequestLogs: EdgeOptions['onRequestLogs'];
  /** Of the OWASP rules that its zones are compiled with. */
  #coreDigest: string | undefined;

  private constructor({ zones, recorder, judge, learner, proxy, tls, rates, ...balancing }: EdgeParts) {
    this.#learner = learner;
    this.#rates = rates;
    this.#balancing = balancing.balancing;
    this.#asker = balancing.asker;
    this.#onLoadBalancers = balancing.onLoadBalancers;
    this.#onRequestLogs = balancing.onRequestLogs;
    this.#tls = tls;
    this.#zones = zones;
    this.#recorder = recorder;
    this.#judge = judge;
    this.#proxy = proxy;
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
    // A question is asked for a request, and so when there is a proxy.
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

  /** Opens further listeners: for an edge that is to know its zones before it accepts connections. */
  listen(listeners: readonly EdgeListener[]): Promise<void> {
    return this.#proxy.listen(addTls(listeners, this.#tls));
  }

  /** Takes requests of Workers at a socket of the file system: they get what the origin of a zone answers. */
  listenToWorkers(workerPath: string): Promise<void> {
    return this.#proxy.listen([{ port: 0, workerPath }]);
  }

  /** Replaces the networks whose `X-Forwarded-For` is trusted. */
  trust(trustedProxies: readonly string[]): void {
    this.#proxy.trust(parseNetworkSet(trustedProxies));
  }

  /** In the order of the listeners. */
  get addresses(): readonly AddressInfo[] {
    return this.#proxy.addresses;
  }

  /**
   * Compiles a zone at once. Returns the rules that are not in force because they cannot be compiled; undefined if the zone
   * is unchanged.
   */
  update(configuration: ZoneConfiguration): CompiledZone['problems'] | undefined {
    return this.#zones.update(configuration)?.rules.problems;
  }

  /**
   * Like `update`, for the zone's own part of its configuration; `updateAccount` sets the other part. It is compiled in
   * turns between which requests are served, and in force when this resolves.
   */
  async updateZone(part: ZonePart): Promise<CompiledZone['problems'] | undefined> {
    return (await this.#zones.updateZone(part))?.rules.problems;
  }

  /** Replaces what all zones share. It is in force for the next request of each zone. */
  updateAccount(part: AccountPart): void {
    this.#zones.updateAccount(part);
    const { loadBalancers = [] } = part;
    const keys = new Set(loadBalancers.flatMap(listOriginKeys));
    this.#balancing.health.retain(keys);
    this.#balancing.loads.retain(keys);
    this.#onLoadBalancers?.(loadBalancers);
    this.#onRequestLogs?.(part.requestLogs ?? []);
  }

  /**
   * Replaces the OWASP rules, for all edges of a process. They are in force for the next request of each zone: until then
   * it is judged by those before.
   */
  async updateCoreRules(rules: CoreRules | undefined): Promise<void> {
    if (rules?.digest === this.#coreDigest) return;
    await replaceCoreRules(rules);
    this.#coreDigest = rules?.digest;
    this.#judge.replaceCoreRules(rules);
    this.#zones.renew();
  }

  /** Makes zones known. Each is loaded by the loader when a request needs it. */
  announce(zones: Iterable<KnownZone>): void {
    for (const zone of zones) this.#zones.announce(zone);
  }

  /** The ids of all zones that it knows. */
  listZones(): readonly string[] {
    return this.#zones.listIds();
  }

  isLoaded(zoneId: string): boolean {
    return this.#zones.isLoaded(zoneId);
  }

  setLoader({ load, onRecompiled }: EdgeLoader): void {
    this.#zones.loader = {
      load,
      onRecompiled: (zoneId, result) =>
        onRecompiled(zoneId, result instanceof Error ? result : result.rules.problems),
    };
  }

  /** What another process that serves the same zones has counted. */
  receiveRates(counts: readonly SharedCount[]): void {
    this.#rates.receive(counts);
  }

  /** What was not told yet, for another process that asks. It counts as told. */
  takeUnsharedRates(): readonly SharedCount[] {
    return this.#rates.takeUnshared();
  }

  get hasRateKeys(): boolean {
    return this.#rates.hasKeys;
  }

  /** The keys that rate limits count, the fullest first. With many of them, it takes milliseconds. */
  listRateKeys(): CountedKey[] {
    return this.#rates.listFullest();
  }

  /** Somebody has let keys of rate limits go. */
  releaseRates(keys: readonly string[]): void {
    this.#rates.release(keys);
  }

  /** What a monitor, or another process that serves the same zones, knows of origins. */
  receiveOriginStates(states: readonly OriginState[]): void {
    this.#balancing.health.receive(states);
  }

  remove(zoneId: string): void {
    this.#zones.remove(zoneId);
  }

  /** Must be called when every zone has been passed to `update`. */
  complete(): void {
    this.#zones.isComplete = true;
  }

  stats(): EdgeStats {
    return {
      proxy: this.#proxy.stats(),
      verdicts: this.#judge.counts,
      judging: this.#judge.judgingCounts,
      events: this.#recorder.counts,
      patternTables: readPatternTables(),
      zones: this.#zones.size,
      zonesLoaded: this.#zones.loadedSize,
      rates: this.#rates.counts,
      pools: this.#balancing.loads.list(),
      questions: this.#asker.counts,
    };
  }

  /** Tells what was learned so far. */
  async tellLearned(): Promise<void> {
    await this.#learner?.tell();
  }

  /** Resolves when the events of all answered requests are written, or dropped. */
  flushEvents(): Promise<void> {
    return this.#recorder.flush();
  }

  /** Stops accepting, lets running requests end, and writes the pending events. */
  async close(options?: { readonly graceMs?: number }): Promise<void> {
    await this.#proxy.close(options);
    this.#judge.close();
    this.#rates.close();
    await this.#learner?.close();
    await this.#recorder.flush();
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
