/**
 * `gatehouse run`: one Worker in production. The program holds the sockets, the certificate and the metrics; the Worker
 * runs in a supervised process of its own, which is restarted when it ends, and replaced by another version without
 * refusing a connection.
 */
import { join } from 'node:path';
import { type Log, waitForPredecessor } from '#base';
import { writePrivateFile } from '#files';
import { endpointOf, type PrivateListener } from '#listeners';
import { BoundSocket, endPreforked } from '#processes';
import type { Metric } from '#metrics';
import { createDiskMetrics, createProcessMetrics } from '#observability';
import {
  DeployedWorker,
  type DeployResult,
  type ListenerKind,
  openWorkerDoor,
  type Project,
} from '#deployments';
import { listenForAdmin } from '../admin/listen-for-admin.ts';
import type { ApiServer } from '../api/api-server.ts';
import { createListenError } from '../listening/cannot-listen.ts';
import type { Config } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { countObjectProcesses } from '../object-processes.ts';
import { ReadinessCheck } from '../readiness.ts';
import { ServerTls } from '../server-tls.ts';
import { Site } from '../site.ts';

export interface RunProgramOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
  /** The project to run; if undefined, the version that ran last. */
  readonly project: Project | undefined;
}

/** The URLs of the program. */
export interface RunUrls {
  readonly url?: string;
  readonly url_https?: string;
  readonly admin?: string;
  /** The CA certificate that clients must trust, if it is the local authority's. */
  readonly ca_file?: string;
}

interface OpenListener {
  readonly kind: ListenerKind;
  readonly socket: BoundSocket;
}

export class RunProgram implements AsyncDisposable {
  readonly #options: RunProgramOptions;
  readonly #readiness: ReadinessCheck;
  readonly #listeners: OpenListener[] = [];
  #urls: RunUrls = {};
  #worker: DeployedWorker | undefined;
  #admin: ApiServer | undefined;
  #tls: ServerTls | undefined;
  #door: PrivateListener | undefined;
  #stopping: Promise<void> | undefined;

  private constructor(options: RunProgramOptions) {
    this.#options = options;
    this.#readiness = new ReadinessCheck({
      probe: async () => {
        if (this.#worker?.isRunning !== true) throw new Error('the process of the Worker is not running');
      },
      onFailure: (problem, error) => options.log.error('not ready', { problem, error }),
    });
  }

  /** Resolves once the Worker serves. */
  static async start(options: RunProgramOptions): Promise<RunProgram> {
    const { data, readyFile } = options.config.settings;
    claimDataDirectory(data, 'Worker');
    const program = new RunProgram(options);
    try {
      await program.#listen();
      const worker = await DeployedWorker.start(program.#describeWorker());
      program.#worker = worker;
      // A process that was started in advance with another memory limit is unused.
      endPreforked();
      program.#door = await openWorkerDoor(worker, { directory: data, log: options.log });
      program.#readiness.phase = 'running';
      if (readyFile !== undefined)
        writePrivateFile(readyFile, `${JSON.stringify(program.#urls, undefined, 2)}\n`);
      return program;
    } catch (error) {
      await program.stop();
      throw error;
    }
  }

  get urls(): RunUrls {
    return this.#urls;
  }

  /** The running version. */
  get version(): number {
    return this.#worker!.current.number;
  }

  /**
   * Deploys the current state of the project. If it does not load, rejects with a `DeployError`, and the running
   * version continues.
   */
  async deploy(): Promise<DeployResult> {
    if (this.#tls !== undefined) this.#openTls();
    return await this.#worker!.deploy();
  }

  /** A failure is logged, and the running version continues. */
  onHangUp(): void {
    void this.reload().catch((error: unknown) =>
      this.#options.log.error('could not deploy; the current version keeps running', {
        reason: (error as Error).message,
      }),
    );
  }

  async reload(): Promise<void> {
    await this.deploy();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    const { shutdownGrace: graceMs } = this.#options.config.settings;
    this.#readiness.phase = 'stopping';
    const closed = this.#door?.close();
    this.#tls?.close();
    // The process of the Worker still accepts connections that have arrived, until it closes them as well.
    for (const { socket } of this.#listeners) socket.close();
    await this.#worker?.stop({ graceMs });
    await closed;
    await this.#admin?.close({ graceMs });
  }

  #describeWorker(): Parameters<typeof DeployedWorker.start>[0] {
    const { config, log, project } = this.#options;
    const { settings, sources } = config;
    return {
      name: 'main',
      project,
      directory: settings.data,
      settings,
      countObjectProcesses: () => countObjectProcesses(settings, settings.data),
      // On by default here: there is no proxy in front that writes a log.
      logsRequests: sources.accessLog.kind === 'default' || settings.accessLog,
      log,
      listeners: this.#listeners,
      ownListeners: this.#admin === undefined ? [] : [endpointOf(this.#admin.url)],
      readTls: () => this.#tls?.context(),
    };
  }

  async #listen(): Promise<void> {
    const { host, port, httpsPort } = this.#options.config.settings;
    await this.#bind('port', { host, port, kind: 'http' });
    if (httpsPort !== 'off') {
      this.#openTls();
      await this.#bind('httpsPort', { host, port: httpsPort, kind: 'https' });
      this.#urls = { ...this.#urls, ...this.#tls!.trust() };
    }
    await this.#serveAdmin();
  }

  /** Reads the certificate. Unusable files are an error, and the previous ones stay in use. */
  #openTls(): void {
    const { config, log } = this.#options;
    const tls = ServerTls.open({ directory: join(config.settings.data, 'tls'), config, log });
    this.#tls?.close();
    this.#tls = tls;
    tls.keepFresh((context) => void this.#worker?.renewTls(context));
    void this.#worker?.renewTls(tls.context());
  }

  async #bind(
    setting: 'port' | 'httpsPort',
    { host, port, kind }: { readonly host: string; readonly port: number; readonly kind: ListenerKind },
  ): Promise<void> {
    const socket = await waitForPredecessor(() => BoundSocket.bind({ host, port })).catch(
      (error: NodeJS.ErrnoException) => {
        throw createListenError(setting, { host, port }, error);
      },
    );
    this.#listeners.push({ kind, socket });
    const authority = `${host.includes(':') ? `[${host}]` : host}:${socket.address.port}`;
    this.#urls =
      kind === 'https'
        ? { ...this.#urls, url_https: `https://${authority}` }
        : { ...this.#urls, url: `http://${authority}` };
  }

  /** Health and metrics have a separate listener: every path of the other one is the Worker's. */
  async #serveAdmin(): Promise<void> {
    const { config, log, version } = this.#options;
    const fixed = [...createProcessMetrics(version), ...createDiskMetrics(config.settings.data)];
    const site = new Site({
      version,
      readiness: this.#readiness,
      metrics: async (): Promise<readonly Metric[]> => [
        ...fixed,
        ...((await this.#worker?.readMetrics()) ?? []),
      ],
      api: () => undefined,
      hasAdmin: true,
    });
    this.#admin = await listenForAdmin(config, { answer: site.answerAdmin, log });
    if (this.#admin !== undefined) this.#urls = { ...this.#urls, admin: this.#admin.url };
  }
}
