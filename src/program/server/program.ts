/**
 * The program: a data directory, its control plane, the listeners in front, and the edge that serves its zones. It
 * opens the ports first (they answer that the service is starting) and then bootstraps the account. So a port conflict
 * is detected before secrets are created that can be shown only once.
 *
 * It stops in the reverse order: it accepts nothing new, finishes running requests, writes pending events, then closes the
 * store.
 */
import { join } from 'node:path';
import { assert, type Log, waitForPredecessor } from '#base';
import { endpointOf, type PrivateListener } from '#listeners';
import { Control } from '#control';
import { Dashboard, PageFiles } from '#dashboard';
import type { Cluster } from '#cluster';
import { endPreforked } from '#processes';
import { type Metric, Reading, sumSameNames } from '#metrics';
import {
  createDiskMetrics,
  createProcessMetrics,
  createStoreMetrics,
  HostMetrics,
  readMetrics,
  RuleEnds,
  Telemetry,
} from '#observability';
import { serveAdmin } from './admin/admin-server.ts';
import { ApiMetrics } from './api/api-metrics.ts';
import { type ApiServer, type ApiServerOptions, serveApi } from './api/api-server.ts';
import type { Config } from './config/read-config.ts';
import type { SettingName } from './config/settings.ts';
import { joinConfigured, writeEdgeSecret } from './cluster/cluster-host.ts';
import { CertificateWatch } from './certificate-watch.ts';
import { claimDataDirectory } from './data-directory.ts';
import { type DataSizeLimit, limitDataSize } from './data-size-limit.ts';
import { InstalledCoreRules } from './installed-core-rules.ts';
import { OutOfService } from './out-of-service.ts';
import { listOriginRules } from './edge/origin-rules.ts';
import { createRecentRequests } from './edge/recent-requests.ts';
import { createSiteProbe } from './edge/site-probe.ts';
import { type EdgeUrls, type ServedEdge, wantsEdge } from './edge/served-edge.ts';
import type { StartEdgeOptions } from './edge/start-edge.ts';
import { countEdgeProcesses, EdgeProcesses } from './edge/processes/edge-processes.ts';
import { openServerDoor } from './server-door.ts';
import { openUploads, type Uploads } from './workers/open-uploads.ts';
import { ZoneWorkers } from './workers/zone-workers.ts';
import { createListenError } from './listening/cannot-listen.ts';
import { GeoDownloads } from './geo/geo-downloads.ts';
import { Notifier } from './notices/notifier.ts';
import { readMailSettings } from './config/mail-settings.ts';
import { readAcmeSettings } from './config/acme-settings.ts';
import { countObjectProcesses, describeObjectProcesses } from './object-processes.ts';
import { ReadinessCheck } from './readiness.ts';
import { type Addresses, createReady, filterValid } from './ready/ready-facts.ts';
import { type Ready, ReadyFile } from './ready/ready-file.ts';
import { Site } from './site.ts';
import { ServerTls } from './server-tls.ts';

const dayMs = 86_400_000;

export interface ProgramOptions {
  readonly config: Config;
  readonly log: Log;
  readonly version: string;
}

export class ServeProgram {
  readonly #config: Config;
  readonly #log: Log;
  readonly #readiness: ReadinessCheck;
  readonly #site: Site;
  readonly #dashboard: Dashboard;
  readonly #apiMetrics: ApiMetrics;
  /** The number of processes for accounts and zones. */
  readonly #hostCount: number;
  readonly #hostMetrics = new HostMetrics(() => this.#control?.hosts);
  readonly #ruleEnds: RuleEnds;
  readonly #certificates: CertificateWatch;
  readonly #telling: Notifier;
  readonly #geo: GeoDownloads;
  readonly #version: string;
  readonly #outOfService: OutOfService;
  readonly #metrics: () => Promise<readonly Metric[]>;
  readonly #listeners: ApiServer[] = [];
  /** The cluster that stores everything, if there is one. */
  #cluster: Cluster | undefined;
  #control: Control | undefined;
  #door: PrivateListener | undefined;
  #tls: ServerTls | undefined;
  #edge: ServedEdge | undefined;
  #workers: ZoneWorkers | undefined;
  #uploads: Uploads | undefined;
  readonly #telemetry: Telemetry | undefined;
  readonly #feedEnd = new AbortController();
  #dataSize: DataSizeLimit | undefined;
  #coreRules: InstalledCoreRules | undefined;
  #ready: Ready | undefined;
  #stopping: Promise<void> | undefined;

  private constructor({ config, log, version }: ProgramOptions) {
    this.#config = config;
    this.#log = log;
    this.#version = version;
    this.#readiness = new ReadinessCheck({
      probe: () => this.#control!.probe(),
      onFailure: (problem, error) => log.error('not ready', { problem, error }),
    });
    this.#apiMetrics = new ApiMetrics({
      inFlight: () => this.#listeners.reduce((sum, { inFlight }) => sum + inFlight, 0),
    });
    this.#ruleEnds = new RuleEnds({ log, control: () => this.#control });
    const control = (): Control | undefined => this.#control;
    this.#outOfService = new OutOfService(log);
    this.#telling = new Notifier({ config, log, control });
    this.#geo = new GeoDownloads(config.settings, log);
    this.#certificates = new CertificateWatch({ log, control, onWarning: this.#telling.noteCertificate });
    this.#hostCount = countObjectProcesses(config.settings, config.settings.data);
    const fixed: readonly Metric[] = [
      ...this.#apiMetrics.metrics,
      new Reading('gatehouse_zones', 'Zones of the account.', () => this.#control?.directory.zones.size ?? 0),
      ...createStoreMetrics(() => this.#control?.stats()),
      ...(this.#hostCount === 1 ? [] : this.#hostMetrics.metrics),
      this.#ruleEnds.metric,
      this.#outOfService.metric,
      ...[...this.#certificates.metrics, ...this.#geo.metrics],
      ...createDiskMetrics(config.settings.data),
      ...createProcessMetrics(version),
    ];
    const metrics = async (): Promise<readonly Metric[]> => {
      await this.#certificates.look();
      const ofEdge = (await this.#edge?.readMetrics()) ?? [];
      const ofWorkers = (await this.#workers?.readMetrics()) ?? [];
      const ofUploads = (await this.#uploads?.workers.readMetrics()) ?? [];
      return sumSameNames([
        ...fixed,
        ...ofEdge,
        ...ofWorkers,
        ...ofUploads,
        ...this.#telling.metrics,
        ...(this.#telemetry?.metrics ?? []),
      ]);
    };
    this.#metrics = metrics;
    this.#telemetry = Telemetry.start({ settings: config.settings, log, version, metrics });
    this.#dashboard = new Dashboard({
      files: PageFiles.load(),
      sessions: () => this.#control,
      hosts: config.settings.dashboardHosts,
      program: 'serve',
      now: () => Date.now(),
    });
    this.#site = new Site({
      version,
      dashboard: this.#dashboard,
      readiness: this.#readiness,
      metrics,
      api: () => this.#control && ((request) => this.#control!.answer(request)),
      hasAdmin: config.settings.adminPort !== 'off',
      listWarnings: () => this.#certificates.listWarnings(),
      receivers: () => (this.#uploads ? [this.#uploads.workers.assets, this.#uploads.stores.transfers] : []),
    });
  }

  /** Resolves to the program once it accepts requests. */
  static async start(options: ProgramOptions): Promise<ServeProgram> {
    const { data, readyFile, cluster, clusterFile } = options.config.settings;
    const isClustered = (cluster ?? clusterFile) !== undefined;
    claimDataDirectory(data, isClustered ? 'cluster host' : 'control plane', options.log.warn);
    const file = readyFile === undefined ? undefined : new ReadyFile(readyFile);
    const program = new ServeProgram(options);
    try {
      program.#cluster = await program.#joinCluster();
      program.#workers = ZoneWorkers.bind({ ...options, outOfService: program.#outOfService });
      const uploads = (program.#uploads = await openUploads({
        ...options,
        cluster: program.#cluster,
        outOfService: program.#outOfService,
        findUrls: () => program.#edge?.urls ?? {},
      }));
      const addresses = await program.#listen();
      // They start concurrently with the control plane: requests for them wait.
      const endpoints = program.#listeners.map(({ url }) => endpointOf(url));
      const workers = program.#workers?.start(endpoints);
      const told = file?.takeOver() ?? {};
      const control = await waitForPredecessor(() => program.#open());
      const uploaded = Promise.all([
        uploads.workers.resume(control, endpoints),
        control.readQueues().then((queues) => uploads.stores.resume(queues)),
      ]);
      program.#control = control;
      program.#coreRules = await program.#followCoreRules(control);
      program.#door = await openServerDoor({ ...options, control, uploads: uploads.workers });
      program.#dataSize = limitDataSize(options, control);
      await program.#telling.follow(control);
      await program.#feedEdge(control);
      await Promise.all([workers, uploaded]);
      for (const watch of [program.#certificates, program.#geo]) watch.begin();
      program.#readiness.phase = 'running';
      const secrets = control.bootstrapped ?? (await filterValid(control, told));
      program.#ready = createReady(control, addresses, secrets);
      file?.write(program.#ready);
      return program;
    } catch (error) {
      file?.putBack();
      await program.stop();
      throw error;
    }
  }

  /** The facts for users of the server. */
  get ready(): Ready {
    assert(this.#ready !== undefined, 'ready is read after the start');
    return this.#ready;
  }

  /** Whether the account was bootstrapped at this start. */
  get isFirst(): boolean {
    return this.#control?.bootstrapped !== undefined;
  }

  /** Whether the page was built. In a clone, `npm start` does that. */
  get hasDashboard(): boolean {
    return this.#dashboard.isBuilt;
  }

  /** Whether a version of the OWASP rules is in force. */
  get hasCoreRules(): boolean {
    return this.#coreRules?.isInForce === true;
  }

  /** A URL of the dashboard that signs the owner in once, at the first start. */
  get signInUrl(): string | undefined {
    const token = this.#control?.bootstrapped?.token;
    if (token === undefined || this.#listeners[0] === undefined || !this.hasDashboard) return undefined;
    const path = this.#dashboard.createSignInLink({ authorization: `Bearer ${token}` });
    return `${toReachable(this.#listeners[0].url)}${path}`;
  }

  /** Reopens the access log under its name. */
  onHangUp(): void {
    this.#edge?.reopenLogs();
  }

  /**
   * Restarts the processes of the edge with these settings, one by one, and deploys the current projects of the
   * Workers; all other settings need a restart.
   */
  async reload(config: Config): Promise<void> {
    await Promise.all([this.#edge?.reload(config), this.#workers?.reload()]);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #stop(): Promise<void> {
    this.#readiness.phase = 'stopping';
    for (const watch of [this.#certificates, this.#geo]) watch[Symbol.dispose]();
    this.#tls?.close();
    this.#coreRules?.[Symbol.dispose]();
    this.#feedEnd.abort();
    this.#control?.endStreams();
    const { shutdownGrace: graceMs } = this.#config.settings;
    await this.#workers?.retireSockets({ graceMs });
    await this.#uploads?.workers.retireSockets({ graceMs });
    const servers = [...this.#listeners, ...(this.#edge === undefined ? [] : [this.#edge])];
    await Promise.all(servers.map((server) => server.close({ graceMs })));
    await this.#workers?.stop({ graceMs });
    await this.#uploads?.workers.stop({ graceMs });
    await this.#uploads?.stores.stop();
    await this.#door?.close();
    await this.#telling.close();
    await this.#dataSize?.stop();
    if (this.#control === undefined) await this.#cluster?.leave().catch(() => {});
    await this.#control?.close();
    await this.#telemetry?.close();
  }

  async #joinCluster(): Promise<Cluster | undefined> {
    const cluster = await joinConfigured(this.#config, this.#log);
    if (cluster !== undefined) writeEdgeSecret(cluster, this.#config.settings.data);
    return cluster;
  }

  async #listen(): Promise<Addresses> {
    const { host, port, httpsPort, adminHost, adminPort, data } = this.#config.settings;
    const { answer, answerAdmin } = this.#site;
    const http = await this.#serve('port', { answer, host, port });
    let addresses: Addresses = { api: toReachable(http.url) };
    if (httpsPort !== 'off') {
      const [config, log] = [this.#config, this.#log];
      const tls = (this.#tls = ServerTls.open({ directory: join(data, 'tls'), config, log }));
      const https = await this.#serve('httpsPort', { answer, host, port: httpsPort, tls: tls.context() });
      tls.keepFresh((context) => https.renew(context));
      addresses = { ...addresses, api_https: toReachable(https.url), ...tls.trust() };
    }
    if (adminPort !== 'off') {
      const options = { answer: answerAdmin, host: adminHost, port: adminPort };
      const admin = await this.#serve('adminPort', options, serveAdmin);
      addresses = { ...addresses, admin: toReachable(admin.url) };
    }
    return { ...addresses, ...(await this.#startEdge()) };
  }

  /** Until it is configured, it answers that it is starting. */
  async #startEdge(): Promise<EdgeUrls> {
    // The command line has started one in advance, in case there are workers.
    if (!wantsEdge(this.#config.settings) || countEdgeProcesses(this.#config.settings) === 0) endPreforked();
    if (!wantsEdge(this.#config.settings)) return {};
    const options: Omit<StartEdgeOptions, 'telemetry'> = {
      config: this.#config,
      log: this.#log,
      reports: {
        writeEvents: async (...events) => this.#control!.appendEvents(...events),
        // Before the control plane is open, there are no zones to count.
        sendTraffic: async ({ rows }) => this.#telling.addTraffic(rows),
        sendRequests: async (zones) => this.#telling.pushAll(zones),
        sendLearned: async (zoneId, batch) => this.#control?.learn(zoneId, batch),
        reportHealth: async (reports) => this.#control?.noteOriginHealth(reports),
        exchangeRates: async (report) => this.#control?.exchangeRates(report),
      },
      onJudgingEnd: this.#ruleEnds.note,
      forbidden: this.#listeners.map(({ url }) => endpointOf(url)),
      workers: { ...this.#workers?.sockets, ...this.#uploads?.workers.sockets },
    };
    return (this.#edge = await this.#bindEdge(options)).urls;
  }

  async #bindEdge(options: Omit<StartEdgeOptions, 'telemetry'>): Promise<ServedEdge> {
    if (countEdgeProcesses(this.#config.settings) > 0)
      return await EdgeProcesses.bind({ ...options, version: this.#version });
    // With workers, this process does not need the code of the edge.
    const { InProcessEdge } = await import('./edge/in-process-edge.ts');
    return await InProcessEdge.start({ ...options, telemetry: this.#telemetry });
  }

  async #feedEdge(control: Control): Promise<void> {
    await this.#edge?.feed(control.configurations, this.#feedEnd.signal);
  }

  async #serve(
    setting: SettingName,
    options: Pick<ApiServerOptions, 'answer' | 'host' | 'port' | 'tls'>,
    serve: (options: ApiServerOptions) => Promise<ApiServer> = serveApi,
  ): Promise<ApiServer> {
    const log = this.#log;
    try {
      const whole: ApiServerOptions = {
        ...options,
        sockets: serve === serveApi ? this.#uploads?.workers.tails : undefined,
        onError: (error, request) => log.error('a request failed', { request, error }),
        onAnswered: this.#config.settings.accessLog ? createAccessLog(log) : undefined,
      };
      const listener = await waitForPredecessor(() => serve(whole));
      this.#listeners.push(listener);
      return listener;
    } catch (error) {
      throw createListenError(setting, options, error as NodeJS.ErrnoException);
    }
  }

  #followCoreRules(control: Control): Promise<InstalledCoreRules> {
    return InstalledCoreRules.follow({
      data: this.#config.settings.data,
      log: this.#log,
      begin: (rules) => control.beginCoreRules(rules),
      take: (rules) => control.setCoreRules(rules),
    });
  }

  #open(): Promise<Control> {
    const { settings } = this.#config;
    const { data, durability, accountName, ownerEmail, historyDays, eventDays } = settings;
    const { rateLimit, rateLimitRequests, rateLimitGraphql, rateLimitWindow } = settings;
    const log = this.#log;
    const origins = listOriginRules({
      settings,
      edge: this.#edge,
      listeners: this.#listeners.map(({ url }) => url),
      workers: this.#workers?.names ?? [],
    });
    this.#telling.open(origins);
    return Control.open({
      pushRequests: this.#telling.pushRequests,
      directory: data,
      durability,
      retentionMs: historyDays * dayMs,
      eventRetentionMsMax: eventDays * dayMs,
      bootstrap: { accountName, email: ownerEmail },
      rateLimit: rateLimit
        ? { requests: rateLimitRequests, graphqlRequests: rateLimitGraphql, windowMs: rateLimitWindow }
        : 'off',
      log: (message, error) => log.warn(message, error === undefined ? {} : { error }),
      onError: (error, request) => log.error('a request failed', { request, error }),
      origins,
      acme: readAcmeSettings(settings),
      mail: readMailSettings(settings),
      cluster: this.#cluster,
      hosts: describeObjectProcesses({
        settings,
        count: this.#hostCount,
        log,
        onEnd: this.#hostMetrics.count,
      }),
      readMetrics: async () => readMetrics(await this.#metrics()),
      recentRequests: createRecentRequests(settings, log),
      probe: createSiteProbe({ origins, edgeUrls: () => this.#edge?.urls ?? {} }),
      allowsObjectWrites: settings.objectWrites,
      workers: this.#uploads?.workers,
      onAccountChange: () => this.#uploads?.workers.onAccountChange(),
      stores: this.#uploads?.stores,
      onAnswer: (report) => {
        this.#apiMetrics.count(report);
        this.#telemetry?.tracer.traceAnswer(report);
      },
    });
  }
}

/** Clients cannot connect to the unspecified address, so clients get loopback. */
function toReachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

/** Without queries and headers: both can contain secrets. */
function createAccessLog(log: Log): NonNullable<ApiServerOptions['onAnswered']> {
  return ({ method, target, address }, { status, headers }, durationMs) =>
    log.info('request', {
      request: headers['cf-ray'],
      method,
      path: target.split('?', 1)[0]!.slice(0, 500),
      status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      address,
    });
}
