/** An edge in the process of the program. */
import type { AddressInfo } from 'node:net';
import type { Log } from '#base';
import { type FeedSource, readConfigurations } from '#control';
import type { Metric } from '#metrics';
import type { Config } from '../config/read-config.ts';
import { EdgeFeed } from './edge-feed.ts';
import type { EdgeUrls, ServedEdge } from './served-edge.ts';
import { startEdge, type StartedEdge, type StartEdgeOptions } from './start-edge.ts';

export class InProcessEdge implements ServedEdge {
  readonly #started: StartedEdge;
  readonly #log: Log;
  readonly started = Promise.resolve();

  private constructor(started: StartedEdge, log: Log) {
    this.#started = started;
    this.#log = log;
  }

  static async start(options: Omit<StartEdgeOptions, 'shared'>): Promise<InProcessEdge> {
    return new InProcessEdge(await startEdge(options), options.log);
  }

  get urls(): EdgeUrls {
    return this.#started.urls;
  }

  get endpoints(): readonly AddressInfo[] {
    return this.#started.edge.addresses;
  }

  feed(source: FeedSource, signal: AbortSignal): Promise<void> {
    const feed = new EdgeFeed({
      connect: (wanted) => readConfigurations(source, signal, wanted),
      edge: this.#started.edge,
      log: this.#log,
      signal,
    });
    return feed.firstPass;
  }

  async readMetrics(): Promise<readonly Metric[]> {
    return this.#started.metrics;
  }

  reopenLogs(): void {
    this.#started.reopenLogs();
  }

  async reload(_config: Config): Promise<void> {
    this.#log.warn('the edge has no processes of its own to replace; restart the program', {
      setting: 'edge_workers',
    });
  }

  close(options: { readonly graceMs: number }): Promise<void> {
    return this.#started.close(options);
  }
}
