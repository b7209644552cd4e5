/**
 * An edge in worker processes. They accept from the same sockets, which the program holds open, so a connection that
 * arrives while a worker is away waits for another one. Each worker is supervised: one that is stuck, dies or takes too
 * much memory is replaced, and the log says which zone and rule it was at.
 *
 * What a worker counted stays in the metrics after its end, but for what it had not said yet (at most the last second).
 */
import { availableParallelism } from 'node:os';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Log } from '#base';
import type { FeedSource } from '#control';
import {
  type AheadOptions,
  ChildEndedError,
  ChildProcess,
  endAhead,
  endKinds,
  type EndReason,
  Standby,
  SupervisedProcess,
  takeAhead,
} from '#processes';
import { openSink } from '../../access-log/access-log.ts';
import type { Config } from '../../config/read-config.ts';
import type { Settings } from '../../config/settings.ts';
import { StartError } from '../../data-directory.ts';
import { Counter, type Metric, type MetricData, Reading } from '../../metrics/metric.ts';
import { keepCounts, sumFamilies } from '../../metrics/summed-metrics.ts';
import { LocalAuthority } from '../../tls/local-authority.ts';
import { type EdgeUrls, listListeners, type ServedEdge, writeUrls } from '../served-edge.ts';
import type { Endpoint } from '../start-edge.ts';
import type { TrafficReporterOptions } from '../traffic-reporter.ts';
import { bindListeners } from '../../listening/bind-listeners.ts';
import type { BoundSocket } from '../../listening/bound-socket.ts';
import { SharedSink } from './shared-sink.ts';
import { WorkerLink } from './worker-link.ts';
import type { WorkerSetup, WrittenEvents } from './worker-messages.ts';

export interface EdgeWorkersOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  readonly writeEvents: (...events: WrittenEvents) => Promise<void>;
  readonly sendTraffic: TrafficReporterOptions['send'];
  readonly forbidden: readonly Endpoint[];
  /** The sockets of Workers that are origins, by name. */
  readonly workers: Readonly<Record<string, string>>;
}

/** 0 if the edge is served by the process of the program. */
export function countWorkers({ edgeWorkers }: Settings): number {
  return edgeWorkers === 'cores' ? availableParallelism() : edgeWorkers;
}

interface Parts {
  readonly sockets: readonly BoundSocket[];
  readonly sink: SharedSink | undefined;
  readonly urls: EdgeUrls;
}

export class EdgeWorkers implements ServedEdge {
  readonly urls: EdgeUrls;
  readonly started: Promise<void>;
  readonly #options: EdgeWorkersOptions;
  readonly #sockets: readonly BoundSocket[];
  readonly #sink: SharedSink | undefined;
  readonly #source = Promise.withResolvers<FeedSource>();
  readonly #workers: SupervisedProcess[] = [];
  readonly #count: number;
  #isClosing = false;
  readonly #links = new Map<ChildProcess, WorkerLink>();
  /** What workers that have ended had counted. */
  #countedBefore: MetricData[] = [];
  readonly #ends = new Counter(
    'gatehouse_edge_worker_ends_total',
    'Workers of the edge that ended, by reason.',
  );
  readonly #own: readonly Metric[];
  #config: Config;
  #reloading: Promise<void> = Promise.resolve();
  #standby: Standby | undefined;

  private constructor(options: EdgeWorkersOptions, { sockets, sink, urls }: Parts) {
    this.#options = options;
    this.#config = options.config;
    this.#count = countWorkers(options.config.settings);
    this.#sockets = sockets;
    this.#sink = sink;
    this.urls = urls;
    for (const reason of endKinds) this.#ends.with({ reason });
    this.#own = [this.#ends, ...this.#createWorkerMetrics()];
    this.started = this.#start();
    this.started.catch(() => {});
  }

  /**
   * Resolves when the sockets are bound; `started` tells when somebody accepts. The first worker starts alone, so that it
   * does not share the cores with the others while clients wait for it.
   */
  static async bind(options: EdgeWorkersOptions): Promise<EdgeWorkers> {
    const { config, log } = options;
    const { data } = config.settings;
    const listeners = listListeners(config);
    // Created here, so that no two workers create it at the same time.
    const authority = listeners.some(({ isSecure }) => isSecure)
      ? LocalAuthority.open(join(data, 'tls'), Date.now())
      : undefined;
    const sockets = await bindListeners(listeners);
    try {
      const sink = await openSink(config.settings, log);
      const endpoints = sockets.map(({ address }) => address);
      const urls = writeUrls(listeners, endpoints, authority?.certificateFile);
      return new EdgeWorkers(options, { sockets, urls, sink: sink && new SharedSink(sink) });
    } catch (error) {
      for (const socket of sockets) socket.close();
      throw error;
    }
  }

  get endpoints(): readonly AddressInfo[] {
    return this.#sockets.map(({ address }) => address);
  }

  async feed(source: FeedSource, _signal: AbortSignal): Promise<void> {
    this.#source.resolve(source);
    await this.started;
    // Others that start meanwhile accept nothing before they are ready.
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

  /** One worker after the other. A reload that comes during another one follows it. */
  reload(config: Config): Promise<void> {
    this.#reloading = this.#reloading.then(() => this.#replaceAll(config));
    return this.#reloading;
  }

  async close({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isClosing = true;
    // The last worker that stops accepts what has arrived until then.
    for (const socket of this.#sockets) socket.close();
    await Promise.all([this.#standby?.stop(), ...this.#workers.map((worker) => worker.stop({ graceMs }))]);
    await this.#sink?.close();
  }

  async #start(): Promise<void> {
    const first = this.#supervise(0);
    this.#workers.push(first);
    try {
      await first.firstReady;
      for (let index = 1; index < this.#count && !this.#isClosing; index++)
        this.#workers.push(this.#supervise(index));
      this.#keepStandby();
      endAhead();
    } catch (error) {
      const isExplained = error instanceof ChildEndedError && error.reason.kind === 'failed';
      throw isExplained ? new StartError(error.message, { cause: error }) : error;
    }
  }

  async #replaceAll(config: Config): Promise<void> {
    this.#config = config;
    const { shutdownGrace: graceMs } = config.settings;
    // It was started with the settings of before.
    await this.#standby?.stop();
    this.#standby = undefined;
    for (const worker of this.#workers) await worker.replace({ graceMs });
    this.#keepStandby();
  }

  #keepStandby(): void {
    if (this.#isClosing) return;
    this.#standby ??= new Standby({ log: this.#options.log, start: () => this.#spawn() });
  }

  #supervise(index: number): SupervisedProcess {
    return new SupervisedProcess({
      log: this.#options.log,
      isFirstNeeded: index === 0,
      start: () => this.#startWorker(`edge worker ${index + 1}`),
      onEnd: (child, reason) => this.#takeLeave(child, reason),
    });
  }

  #startWorker(name: string): ChildProcess {
    const { version, forbidden, workers, writeEvents, sendTraffic } = this.#options;
    const { settings } = this.#config;
    const link = new WorkerLink({
      source: this.#source.promise,
      writeEvents,
      sendTraffic,
      writeLines: async (bytes) => this.#sink?.write(bytes),
    });
    const setup: WorkerSetup = {
      config: this.#config,
      version,
      forbidden,
      processes: this.#count,
      workers,
    };
    const child = this.#standby?.take() ?? takeAhead(this.#getCode()) ?? this.#spawn();
    link.attach(child);
    this.#links.set(child, link);
    child.begin({
      name,
      setup,
      handles: this.#sockets.map(({ handle }) => handle),
      log: this.#options.log,
      stuckMs: settings.edgeWorkerStuck,
      residentBytesMax: settings.edgeWorkerBytes,
      onMessage: link.take,
    });
    return child;
  }

  /** A process that waits for its work. */
  #spawn(): ChildProcess {
    return new ChildProcess({
      ...this.#getCode(),
      name: 'edge worker in waiting',
      setup: undefined,
      isWaiting: true,
      log: this.#options.log,
    });
  }

  /** What a process is started with; the rest it gets when it begins. */
  #getCode(): AheadOptions {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const module = new URL(`./worker-main.${extension}`, import.meta.url);
    return { module, heapBytesMax: this.#config.settings.edgeWorkerBytes };
  }

  #takeLeave(child: ChildProcess, reason: EndReason): void {
    const link = this.#links.get(child);
    this.#links.delete(child);
    this.#ends.with({ reason: reason.kind }).add();
    if (link !== undefined)
      this.#countedBefore = sumFamilies([...this.#countedBefore, ...keepCounts(link.families)]);
  }

  #createWorkerMetrics(): readonly Metric[] {
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
