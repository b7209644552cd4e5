/**
 * The edge as a separate program, configured by a control plane elsewhere. It serves each zone that it knows, from the
 * control plane or from its last run, and is ready once it knows all of them.
 */
import { join } from 'node:path';
import { listenForAdmin } from '../admin/listen-for-admin.ts';
import type { ApiServer } from '../api/api-server.ts';
import { type Config, ConfigurationError } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import type { Log } from '#base';
import { writePrivateFile } from '#files';
import { endpointOf } from '#listeners';
import type { Metric } from '#metrics';
import { createDiskMetrics, createProcessMetrics, Telemetry } from '#observability';
import { ReadinessCheck } from '../readiness.ts';
import { Site } from '../site.ts';
import { ConfigurationStore } from './configuration-store.ts';
import { RemoteControl } from './remote-control.ts';
import { EdgeFeed } from './edge-feed.ts';
import { type EdgeUrls, wantsEdge } from './served-edge.ts';
import { startEdge, type StartedEdge } from './start-edge.ts';

export interface EdgeProgramOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
}

/** The URLs of the edge. */
export type EdgeReady = EdgeUrls & { readonly admin?: string };

interface EdgeProgramParts {
  readonly ready: EdgeReady;
  readonly isReady: Promise<void>;
  readonly edge: StartedEdge;
  readonly telemetry: Telemetry | undefined;
  readonly admin: ApiServer | undefined;
  readonly readiness: ReadinessCheck;
  readonly abort: AbortController;
  readonly graceMs: number;
  readonly log: Log;
}

export class EdgeProgram implements AsyncDisposable {
  readonly ready: EdgeReady;
  /** Resolves once it knows its zones; until then it answers that it is starting. */
  readonly isReady: Promise<void>;
  readonly #parts: EdgeProgramParts;
  #stopping: Promise<void> | undefined;

  private constructor(parts: EdgeProgramParts) {
    this.#parts = parts;
    this.ready = parts.ready;
    this.isReady = parts.isReady;
  }

  /** Resolves to the program once it listens. */
  static async start({ config, log, version }: EdgeProgramOptions): Promise<EdgeProgram> {
    const { settings } = config;
    const { control: url, controlToken: token, data, readyFile, shutdownGrace: graceMs } = settings;
    if (url === undefined) throw new ConfigurationError('gatehouse edge needs control: the URL of an API');
    if (token === undefined) {
      throw new ConfigurationError('gatehouse edge needs GATEHOUSE_CONTROL_TOKEN: a token for the API');
    }
    if (!wantsEdge(settings))
      throw new ConfigurationError('gatehouse edge needs edge_port or edge_https_port');
    claimDataDirectory(data, 'edge');
    const abort = new AbortController();
    const { signal } = abort;
    const control = new RemoteControl({ url, token, signal });
    const readiness = new ReadinessCheck({ probe: async () => {}, onFailure: () => {} });
    let started: StartedEdge | undefined;
    let telemetry: Telemetry | undefined;
    const fixed = [...createProcessMetrics(version), ...createDiskMetrics(data)];
    const listMetrics = (): readonly Metric[] => [
      ...fixed,
      ...(started?.metrics ?? []),
      ...(telemetry?.metrics ?? []),
    ];
    telemetry = Telemetry.start({ settings: config.settings, log, version, metrics: listMetrics });
    const site = new Site({
      version,
      readiness,
      metrics: listMetrics,
      api: () => undefined,
      hasAdmin: true,
    });
    const admin = await listenForAdmin(config, { answer: site.answerAdmin, log });
    try {
      started = await startEdge({
        config,
        log,
        telemetry,
        reports: control,
        forbidden: admin === undefined ? [] : [endpointOf(admin.url)],
        workers: {},
      });
      const ready = { ...started.urls, ...(admin === undefined ? {} : { admin: admin.url }) };
      const store = new ConfigurationStore(join(data, 'zones'));
      const feed = new EdgeFeed({ connect: () => control.feed(), store, edge: started.edge, log, signal });
      const isReady = feed.complete.then(() => {
        readiness.phase = 'running';
        if (readyFile !== undefined) writePrivateFile(readyFile, `${JSON.stringify(ready, undefined, 2)}\n`);
      });
      return new EdgeProgram({
        ready,
        isReady,
        edge: started,
        telemetry,
        admin,
        readiness,
        abort,
        graceMs,
        log,
      });
    } catch (error) {
      abort.abort();
      await started?.close({ graceMs: 0 });
      await telemetry?.close();
      await admin?.close({ graceMs: 0 });
      throw error;
    }
  }

  /** Reopens the access log under its name. */
  onHangUp(): void {
    this.#parts.edge.reopenLogs();
  }

  /** Its edge is in this process. */
  async reload(): Promise<void> {
    this.#parts.log.warn('gatehouse edge has no processes to replace; restart it');
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    const { edge, telemetry, admin, readiness, abort, graceMs } = this.#parts;
    readiness.phase = 'stopping';
    // Events that cannot be sent by then are lost.
    const timer = setTimeout(() => abort.abort(), graceMs);
    await edge.close({ graceMs });
    clearTimeout(timer);
    abort.abort();
    await admin?.close({ graceMs });
    await telemetry?.close();
  }
}
