/**
 * An edge in several processes. They accept from the same sockets, which the program holds open, so a connection that
 * arrives while one is restarting waits for another one. Each is supervised: one that hangs, crashes or takes too much
 * memory is replaced, and the log names the zone and rule that it was evaluating.
 *
 * The counts of a process stay in the metrics after its end, except for those that it had not sent yet (at most the
 * last second).
 */
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { StartError } from '#base';
import type { FeedSource } from '#control';
import type { SharedCount } from '#firewall';
import {
  adoptedSilentMs,
  type PreforkOptions,
  type BoundSocket,
  ChildEndedError,
  ChildProcess,
  type ChildWork,
  endPreforked,
  endKinds,
  type EndReason,
  keptSockets,
  listLifelines,
  type Orphan,
  Orphans,
  Standby,
  SupervisedProcess,
  takePreforked,
} from '#processes';
import { Counter, keepCounts, type Metric, type MetricData, Reading, sumFamilies } from '#metrics';
import { openSink, SerialSink } from '#observability';
import { LocalAuthority } from '#certificates';
import type { Config } from '../../config/read-config.ts';
import type { Settings } from '../../config/settings.ts';
import { type EdgeUrls, listListeners, type ServedEdge, writeUrls } from '../served-edge.ts';
import type { StartEdgeOptions } from '../start-edge.ts';
import { openEdgeSecret } from '../edge-secret.ts';
import { bindListeners } from '../../listening/bind-listeners.ts';
import { reportWith } from '../health/report-with.ts';
import { OriginWatch } from '../health/origin-watch.ts';
import { mergeKeys, RateLink } from '../rates/rate-link.ts';
import { EdgeProcessLink } from './edge-process-link.ts';
import type { EdgeProcessSetup } from './edge-process-messages.ts';

export interface EdgeProcessesOptions extends Omit<StartEdgeOptions, 'telemetry' | 'shared'> {
  readonly version: string;
}

/** 0 if the program's own process serves the edge. */
export function countEdgeProcesses({ edgeWorkers }: Settings): number {
  return edgeWorkers === 'cores' ? availableParallelism() : edgeWorkers;
}

interface BoundParts {
  readonly sockets: readonly BoundSocket[];
  readonly sink: SerialSink | undefined;
  readonly urls: EdgeUrls;
  readonly orphans: Orphans | undefined;
}

/** Edge processes whose program has ended search for its successor; a busy machine may delay them. */
const gatherMsMax = 10_000;

export class EdgeProcesses implements ServedEdge {
  readonly urls: EdgeUrls;
  readonly started: Promise<void>;
  readonly #options: EdgeProcessesOptions;
  readonly #sockets: readonly BoundSocket[];
  readonly #sink: SerialSink | undefined;
  readonly #orphans: Orphans | undefined;
  readonly #source = Promise.withResolvers<FeedSource>();
  readonly #processes: SupervisedProcess[] = [];
  readonly #count: number;
  #isClosing = false;
  readonly #links = new Map<ChildProcess, EdgeProcessLink>();
  /** The counts of processes that have ended. */
  #countedBefore: MetricData[] = [];
  readonly #ends = new Counter(
    'gatehouse_edge_worker_ends_total',
    'Workers of the edge that ended, by reason.',
  );
  readonly #own: readonly Metric[];
  readonly #origins: OriginWatch;
  readonly #rates: RateLink;
  /** Whether any process has ever counted a request. */
  #hasCounted = false;
  #config: Config;
  #reloading: Promise<void> = Promise.resolve();
  #standby: Standby | undefined;
  /** Processes that were taken over and must be replaced. */
  readonly #outdated = new WeakSet<ChildProcess>();

  private constructor(options: EdgeProcessesOptions, { sockets, sink, urls, orphans }: BoundParts) {
    this.#options = options;
    this.#config = options.config;
    this.#count = countEdgeProcesses(options.config.settings);
    this.#sockets = sockets;
    this.#sink = sink;
    this.#orphans = orphans;
    if (orphans !== undefined) for (const socket of sockets) socket.outlive();
    this.urls = urls;
    for (const reason of endKinds) this.#ends.with({ reason });
    this.#origins = new OriginWatch({
      addresses: {
        allowPrivate: options.config.settings.allowPrivateOrigins,
        forbidden: options.forbidden,
      },
      log: options.log,
      onStates: (states) => {
        for (const link of this.#links.values()) link.sendOriginStates(states);
      },
      onReports: reportWith(options.reports, options.log),
    });
    this.#rates = new RateLink({
      log: options.log,
      exchange: (report) => options.reports.exchangeRates(report),
      hasKeys: () => this.#hasCounted,
      listKeys: async () =>
        mergeKeys(await Promise.all(Array.from(this.#links.values(), (link) => link.readRateKeys()))),
      onCounts: (counts) => {
        for (const link of this.#links.values()) link.sendRates(counts);
      },
      onReleased: (keys) => {
        for (const link of this.#links.values()) link.sendReleased(keys);
      },
    });
    this.#own = [this.#ends, this.#origins.metric, ...this.#createProcessMetrics()];
    this.started = this.#start();
    this.started.catch(() => {});
  }

  /**
   * Resolves when the sockets are bound; `started` resolves when a process accepts. The first process starts alone, so
   * that it does not share the cores with the others while clients wait for it.
   */
  static async bind(options: EdgeProcessesOptions): Promise<EdgeProcesses> {
    const { config, log } = options;
    const { data, edgeSecret } = config.settings;
    const listeners = listListeners(config);
    // Created or repaired here, so that no two processes do it at the same time.
    if (edgeSecret === undefined) openEdgeSecret(join(data, 'edge.secret'), log.warn);
    const authority = listeners.some(({ isSecure }) => isSecure)
      ? LocalAuthority.open(join(data, 'tls'), Date.now(), log.warn)
      : undefined;
    const sockets = await bindListeners(listeners);
    try {
      const sink = await openSink(config.settings, log);
      const endpoints = sockets.map(({ address }) => address);
      const urls = writeUrls(listeners, endpoints, authority?.certificateFile);
      const orphans = await Orphans.listen(join(data, 'edge-workers.sock'));
      return new EdgeProcesses(options, { sockets, urls, orphans, sink: sink && new SerialSink(sink) });
    } catch (error) {
      for (const socket of sockets) socket.close();
      throw error;
    }
  }

  get endpoints(): readonly AddressInfo[] {
    return this.#sockets.map(({ address }) => address);
  }

  async feed(source: FeedSource, signal: AbortSignal): Promise<void> {
    this.#source.resolve(source);
    this.#origins.follow(source, signal);
    await this.started;
    // Other starting processes accept nothing before they are ready.
    await Promise.race(Array.from(this.#links.values(), ({ firstPass }) => firstPass));
  }

  async readMetrics(): Promise<readonly Metric[]> {
    await Promise.all(Array.from(this.#links.values(), (link) => link.readMetrics()));
    const families = [...this.#links.values()].flatMap((link) => link.families);
    const summed = sumFamilies([...this.#countedBefore, ...families]);
    return [...this.#own, ...summed.map((data) => ({ name: data.name, read: () => data }))];
  }

  reopenLogs(): void {
    this.#sink?.reopen();
  }

  /** One process after the other. A reload that is requested during another one follows it. */
  reload(config: Config): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#replaceAll(config));
    return this.#reloading;
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosing = true;
    this.#origins[Symbol.dispose]();
    this.#rates[Symbol.dispose]();
    // The last process to stop still accepts connections that have arrived by then.
    for (const socket of this.#sockets) socket.close();
    this.#orphans?.close();
    await Promise.all([this.#standby?.stop(), ...this.#processes.map((each) => each.stop({ graceMs }))]);
    await this.#sink?.close();
  }

  async #start(): Promise<void> {
    const orphans = await this.#gatherOrphans();
    const first = this.#supervise(0, orphans.shift());
    this.#processes.push(first);
    try {
      await first.firstReady;
      for (let index = 1; index < this.#count && !this.#isClosing; index++)
        this.#processes.push(this.#supervise(index, orphans.shift()));
      this.#orphans?.onLate((orphan) => this.#endOrphan(orphan));
      for (const orphan of orphans) this.#endOrphan(orphan);
      await this.#replaceOutdated();
      this.#keepStandby();
      endPreforked();
    } catch (error) {
      const isExplained = error instanceof ChildEndedError && error.reason.kind === 'failed';
      throw isExplained ? new StartError(error.message, { cause: error }) : error;
    }
  }

  /** The edge processes of a previous program that has ended, sorted by name. */
  async #gatherOrphans(): Promise<Orphan[]> {
    if (this.#orphans === undefined || !keptSockets.hasPredecessor) return [];
    const orphans = await this.#orphans.gather({ msMax: gatherMsMax });
    const { log } = this.#options;
    if (orphans.length > 0) log.info('took over the workers of the edge', { workers: orphans.length });
    return orphans.toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** A surplus process: it finishes its requests. */
  #endOrphan(orphan: Orphan): void {
    const child = this.#adopt(orphan);
    void child.stop({ graceMs: this.#config.settings.shutdownGrace });
    void child.ended.then((reason) => this.#takeLeave(child, reason));
  }

  /** Processes that were started with other settings, or by another version, are replaced one after the other. */
  async #replaceOutdated(): Promise<void> {
    const { shutdownGrace: graceMs } = this.#config.settings;
    for (const each of this.#processes)
      if (each.child !== undefined && this.#outdated.has(each.child)) await each.replace({ graceMs });
  }

  async #replaceAll(config: Config): Promise<void> {
    this.#config = config;
    const { shutdownGrace: graceMs } = config.settings;
    // It was started with the previous settings.
    await this.#standby?.stop();
    this.#standby = undefined;
    for (const each of this.#processes) await each.replace({ graceMs });
    this.#keepStandby();
  }

  #keepStandby(): void {
    if (this.#isClosing) return;
    this.#standby ??= new Standby({ log: this.#options.log, start: () => this.#spawn() });
  }

  #supervise(index: number, orphan?: Orphan): SupervisedProcess {
    return new SupervisedProcess({
      log: this.#options.log,
      isFirstNeeded: index === 0,
      adopted: orphan && this.#adopt(orphan),
      start: () => this.#startProcess(`edge worker ${index + 1}`),
      onEnd: (child, reason) => this.#takeLeave(child, reason),
    });
  }

  #startProcess(name: string): ChildProcess {
    const child = this.#standby?.take() ?? takePreforked(this.#getCode()) ?? this.#spawn();
    const { link, work } = this.#describeWork(name);
    this.#follow(child, link);
    child.begin({ ...work, handles: this.#sockets.map(({ handle }) => handle) });
    return child;
  }

  /** It already has its sockets. */
  #adopt({ name, setupDigest, started }: Orphan): ChildProcess {
    const { link, work } = this.#describeWork(name);
    const child = new ChildProcess({ ...work, started, silentMs: adoptedSilentMs });
    this.#follow(child, link);
    if (setupDigest !== work.successor?.setupDigest) this.#outdated.add(child);
    return child;
  }

  #follow(child: ChildProcess, link: EdgeProcessLink): void {
    link.attach(child);
    this.#links.set(child, link);
    this.#orphans?.note([...this.#links.keys()].flatMap(({ pid }) => pid ?? []));
  }

  /** Resolves when all other processes have the counts of this one, and their unsent counts were sent to this one. */
  async #exchangeRates(link: EdgeProcessLink, counts: readonly SharedCount[]): Promise<void> {
    this.#hasCounted = true;
    this.#rates.add(counts);
    const others = [...this.#links.values()].filter((each) => each !== link);
    await Promise.all(
      others.map(async (other) => {
        const unreported = await other.exchangeRates(counts);
        if (unreported.length === 0) return;
        this.#rates.add(unreported);
        for (const each of this.#links.values()) if (each !== other) each.sendRates(unreported);
      }),
    );
  }

  #describeWork(name: string): { readonly link: EdgeProcessLink; readonly work: ChildWork } {
    const { version, forbidden, workers, reports, onJudgingEnd, log } = this.#options;
    const { settings } = this.#config;
    const link: EdgeProcessLink = new EdgeProcessLink({
      source: this.#source.promise,
      reports,
      onThreadEnd: onJudgingEnd,
      writeLines: async (bytes) => this.#sink?.write(bytes),
      onRates: (counts) => this.#exchangeRates(link, counts),
      listOriginStates: () => this.#origins.states,
      onOriginMark: (state) => this.#origins.mark(state),
    });
    const setup: EdgeProcessSetup = {
      config: this.#config,
      version,
      forbidden,
      processes: this.#count,
      workers,
    };
    const work: ChildWork = {
      name,
      setup,
      log,
      stuckMs: settings.edgeWorkerStuck,
      residentBytesMax: settings.edgeWorkerBytes,
      successor: this.#orphans && { path: this.#orphans.path, setupDigest: digestSetup(setup) },
      onMessage: link.take,
    };
    return { link, work };
  }

  /** A process that waits for its setup. */
  #spawn(): ChildProcess {
    return new ChildProcess({
      ...this.#getCode(),
      name: 'edge worker in waiting',
      setup: undefined,
      isWaiting: true,
      passed: listLifelines(),
      log: this.#options.log,
    });
  }

  /** The code that a process is started with; it receives the rest in its setup. */
  #getCode(): PreforkOptions {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const module = new URL(`./edge-process-main.${extension}`, import.meta.url);
    return { module, heapBytesMax: this.#config.settings.edgeWorkerBytes };
  }

  #takeLeave(child: ChildProcess, reason: EndReason): void {
    const link = this.#links.get(child);
    this.#links.delete(child);
    this.#ends.with({ reason: reason.kind }).add();
    if (reason.kind === 'stuck')
      this.#options.onJudgingEnd?.({ ...reason.work, reason: 'its edge worker hung' });
    if (link !== undefined)
      this.#countedBefore = sumFamilies([...this.#countedBefore, ...keepCounts(link.families)]);
  }

  #createProcessMetrics(): readonly Metric[] {
    const list = (): ChildProcess[] => [...this.#links.keys()];
    return [
      new Reading(
        'gatehouse_edge_workers',
        'Processes of the edge that serve.',
        () => list().filter(({ isReady }) => isReady).length,
      ),
      new Reading('gatehouse_edge_worker_resident_bytes', 'Memory of the processes of the edge.', () =>
        list().map(({ name, residentBytes }) => [{ process: name }, residentBytes] as const),
      ),
    ];
  }
}

/** The ports are omitted: the sockets are the same, however they were configured. */
function digestSetup({ config: { settings }, ...setup }: EdgeProcessSetup): string {
  const ports = { port: 0, httpsPort: 0, adminPort: 0, edgePort: 0, edgeHttpsPort: 0 };
  return hash('sha256', JSON.stringify({ ...setup, settings: { ...settings, ...ports } }));
}
