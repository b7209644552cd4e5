/** The control plane of one data directory, or of a cluster: opens it, bootstraps the account, answers requests. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { realClock } from '#base';
import type { RateAnswer, RateReport } from '#firewall';
import type { CoreRules } from '#seclang';
import { type RecordedEvent, retentionMs, type SecurityEvent, type TrafficRow } from '#events';
import { ObjectHosts } from '#hosts';
import type { LearnedBatch } from '#learning';
import type { JobState, LogpushJob } from '#logpush';
import type { DurableObjectId, ObjectRuntime, RuntimeStats } from '#objects';
import {
  type ApiResponse,
  type ApiRequest,
  type FoundSession,
  type OpenedSession,
  Sessions,
} from '#contract';
import { accountName } from './objects/account.ts';
import type { BootstrappedAccount } from './objects/bootstrap.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import { AuditAnchors } from './audit-anchors.ts';
import { ApiPipeline } from './pipeline/pipeline.ts';
import { defaultRateLimit } from './pipeline/limits/rate-limit.ts';
import type { ControlOptions } from './control-options.ts';
import type { Peers } from './clustered/peers.ts';
import { DirectoryCopies } from './directory-copies.ts';
import type { ControlFiles, OpenLogs } from './open-logs.ts';
import { createSessionStore } from './open-stores.ts';
import { ChangeFeed } from './pipeline/change-feed.ts';
import { noAcme } from './context/acme-settings.ts';
import { Directory } from './context/directory.ts';
import type { ControlEnvironment } from './context/environment.ts';
import { createOriginCheck } from './operations/edge/origin-check.ts';
import type { FeedSource } from './operations/edge/configuration-feed.ts';
import { type ConfiguredQueue, toQueueSettings } from './operations/stores/queue-handlers.ts';
import { readRunnable } from './operations/workers/change-worker.ts';
import type { KeySealer } from './context/key-sealer.ts';
import type { RunnableVersion } from './context/worker-host.ts';
import { createOutOfForceEvent } from './configuration/out-of-force.ts';
import { askAgainIfLost } from './pipeline/lost-objects.ts';
import type { Alert } from './stores/notifications.ts';
import { toLogpushJob } from './stores/logpush.ts';
import type { OriginReport } from './stores/load-balancing/origin-health.ts';
import type { ZoneCertificate } from './stores/certificates/zone-certificates.ts';
import { type TokenUses, tokenUsesName } from './objects/token-uses.ts';
import { TokenUseLog } from './pipeline/token-use-log.ts';
import { isInForce } from './pipeline/authenticate.ts';
import type { SessionSubject } from './sessions/session-object.ts';
import { Alone } from './clustered/alone.ts';
import { SharedControl } from './clustered/shared-control.ts';

interface ControlParts {
  readonly runtime: ObjectRuntime;
  readonly peers: Peers;
  readonly logs: OpenLogs;
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions<SessionSubject>;
  readonly tokenUses: TokenUseLog;
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly anchors: AuditAnchors;
}

export class Control {
  readonly runtime: ObjectRuntime;
  /** Undefined if nothing is in files, as in a cluster. */
  readonly files: ControlFiles | undefined;
  /** What the first start created, including the secrets; undefined on later starts. */
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly #peers: Peers;
  readonly #logs: OpenLogs;
  readonly #dispatcher: Dispatcher;
  readonly #pipeline: ApiPipeline;
  readonly #sessions: Sessions<SessionSubject>;
  readonly #now: () => number;
  readonly #tokenUses: TokenUseLog;
  readonly #anchors: AuditAnchors;
  readonly #onError: ControlOptions['onError'];
  readonly #keySealer: KeySealer;
  /** Distinguishes this program from others that count. */
  readonly #instance = randomUUID();

  private constructor(parts: ControlParts, options: ControlOptions) {
    const { runtime, peers, logs, dispatcher, sessions, tokenUses, bootstrapped } = parts;
    this.#anchors = parts.anchors;
    this.#peers = peers;
    this.#logs = logs;
    this.runtime = runtime;
    this.files = logs.files;
    this.#tokenUses = tokenUses;
    this.bootstrapped = bootstrapped;
    this.#dispatcher = dispatcher;
    const { rateLimit = defaultRateLimit, clock = realClock, onError, onAnswer } = options;
    this.#onError = onError;
    this.#keySealer = peers.keySealer;
    this.#sessions = sessions;
    this.#now = () => clock.now();
    this.#pipeline = new ApiPipeline({
      dispatcher,
      sessions,
      tokenUses,
      rateLimit,
      now: this.#now,
      ensureFresh: () => peers.ensureFresh(),
      onError,
      onAnswer,
    });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const {
      bootstrap,
      readMetrics = async () => [],
      allowsObjectWrites = false,
      pushRequests = () => {},
      clock = realClock,
    } = options;
    const changes = new ChangeFeed();
    changes.listen((name) => void (name === accountName && options.onAccountChange?.()));
    const ready = Promise.withResolvers<void>();
    const { environment, copies, peers, anchors } = createEnvironment(options, changes, ready.promise);
    await using opened = new AsyncDisposableStack();
    opened.use(peers);
    const runtime = opened.use(await peers.openRuntime(environment, copies));
    anchors.begin(runtime);
    await peers.open(runtime);
    const logs = await peers.openLogs(runtime, environment);
    opened.defer(() => logs.close());
    const tokenUses = await TokenUseLog.open({
      findStore: () => runtime.namespace<TokenUses>('TokenUses').getByName(tokenUsesName),
      clock,
      hasToken: (tokenId) => environment.directory.tokens.has(tokenId),
      onError: environment.onError,
    });
    const dispatcher = new Dispatcher({
      runtime,
      environment,
      activity: logs.activity,
      traffic: logs.traffic,
      changes,
      tokenUses,
      isHosted: options.hosts !== undefined,
      peers,
      outside: {
        readMetrics,
        probe: options.probe,
        recentRequests: options.recentRequests,
        pushRequests,
      },
      allowsObjectWrites,
      workers: options.workers,
      stores: options.stores,
      anchorAudits: (names) => anchors.anchor(names),
    });
    const bootstrapped = await dispatcher.account.bootstrap(bootstrap);
    await dispatcher.load();
    const store = createSessionStore(runtime, () => peers.spreadSessions());
    const sessions = await Sessions.load(store);
    await peers.begin({
      pull: () => dispatcher.pull(),
      reloadSessions: () => sessions.reload(),
      takeCoreRules: async (rules) => {
        await DirectoryCopies.setCoreRules(copies, rules);
        await dispatcher.setCoreRules(rules);
      },
      answerHere: (call) => dispatcher.answerForOther(call),
      eraseDeleted: () => dispatcher.eraseDeleted(),
    });
    ready.resolve();
    DirectoryCopies.setReady(copies);
    opened.move();
    const parts = { runtime, peers, logs, dispatcher, sessions, tokenUses, bootstrapped, anchors };
    return new Control(parts, options);
  }

  get directory(): Directory {
    return this.#dispatcher.directory;
  }

  /** Creates a key and a token for an owner who has lost theirs. The old ones stop working. */
  async renewOwner(): Promise<Pick<BootstrappedAccount, 'email' | 'key' | 'token'>> {
    const renewed = await this.#dispatcher.account.renewOwner();
    await this.#dispatcher.refresh();
    return renewed;
  }

  /** Must be called when an operator has changed an object: updates its copies in memory and the edges. */
  async followChanged(className: string, id: DurableObjectId): Promise<void> {
    if (className === 'Account') await this.#dispatcher.reload();
    if (className === 'Zone') await this.#dispatcher.followZone(id);
    if (className === 'Sessions') {
      await this.#sessions.reload();
      await this.#peers.spreadSessions();
    }
  }

  answer(request: ApiRequest): Promise<ApiResponse> {
    return this.#pipeline.answer(request);
  }

  /** Signs in to the dashboard with the credentials of the request; throws a fault if the request may not. */
  openSession(request: Pick<ApiRequest, 'headers' | 'address'>): Promise<OpenedSession> {
    return this.#pipeline.openSession(request);
  }

  /** The session of the request's cookie, if it exists and its credential is still valid. */
  findSession(headers: ApiRequest['headers']): FoundSession<SessionSubject> | undefined {
    const nowMs = this.#now();
    const session = this.#sessions.find(headers, nowMs);
    return session && isInForce(this.directory, session.subject, nowMs) ? session : undefined;
  }

  closeSession({ hash }: FoundSession<SessionSubject>): Promise<void> {
    return this.#sessions.close(hash);
  }

  /** Replaces the rules of the OWASP ruleset, on every host and at the edges; undefined if none are installed. */
  setCoreRules(rules: CoreRules | undefined): Promise<void> {
    return this.#peers.setCoreRules(rules);
  }

  /** Applies these rules at the start, unless the cluster has others. Returns whether any are in force. */
  beginCoreRules(rules: CoreRules | undefined): Promise<boolean> {
    return this.#peers.beginCoreRules(rules);
  }

  /** The configuration of each zone, for `readConfigurations`. It contains only what is on disk. */
  get configurations(): FeedSource {
    return this.#dispatcher.configurations;
  }

  /** Appends events to the log of a zone, then notifies open streams. Resolves when the events are on disk. */
  appendEvents(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    return this.#logs.activity.record(zoneId, events, retentionMs);
  }

  /**
   * A thread or a process of an edge was terminated because the evaluation of the rule did not finish. The second time
   * disables the rule in the zone until it is changed, and records an event. Returns whether that happened now.
   */
  async noteRuleEnd(
    zoneId: string,
    end: { readonly rule: string; readonly reason: string },
  ): Promise<boolean> {
    const zone = this.directory.zones.get(zoneId);
    if (zone === undefined) return false;
    const taken = await this.#dispatcher.noteRuleEnd(zoneId, end);
    if (taken === undefined) return false;
    const event = createOutOfForceEvent(taken, this.#now());
    await this.#logs.activity.record(zoneId, [{ event }], retentionMs[zone.plan]);
    return true;
  }

  /** Stores what an edge of this host has learned about values. A batch is sent once: lost values are learned again. */
  async learn(zoneId: string, batch: LearnedBatch): Promise<void> {
    if (this.directory.zones.get(zoneId) !== undefined) await this.#dispatcher.getZone(zoneId).learn(batch);
  }

  /** Adds an edge's counts of requests. They can be read at once, and are on disk within a minute. */
  addTraffic(rows: readonly TrafficRow[]): void {
    this.#logs.traffic.add(rows);
  }

  /** Sends the notifications of an event. */
  async raiseAlert(alert: Alert): Promise<void> {
    await askAgainIfLost(() => this.#dispatcher.account.raiseAlert(alert));
  }

  /** The enabled Logpush jobs, with their secrets. */
  async readLogpushJobs(): Promise<{ jobs: LogpushJob[]; unreadable: number[] }> {
    const rows = await askAgainIfLost(() => this.#dispatcher.account.listLogpushJobs());
    const unreadable: number[] = [];
    const jobs = rows.flatMap((row) => {
      try {
        return [toLogpushJob(row, this.#keySealer)];
      } catch (error) {
        // Without the key of its secrets this job cannot run, but the others can.
        this.#onError(error, '');
        unreadable.push(row.id);
        return [];
      }
    });
    return { jobs, unreadable };
  }

  async noteLogpushStates(states: readonly JobState[]): Promise<void> {
    const { account } = this.#dispatcher;
    await account.noteLogpushStates({ host: this.#hostName, others: this.#peers.otherHosts, states });
  }

  /** Calls the listener with the events that this host has recorded. It must not throw, and must return quickly. */
  onRecorded(listener: (zoneId: string, events: readonly SecurityEvent[]) => void): void {
    this.#logs.activity.onRecorded(listener);
  }

  get #hostName(): string {
    const { hostId } = this.#peers;
    return hostId === '' ? hostname() : hostId;
  }

  /** Records the health of pool origins as the edge of this host sees it: the complete state. */
  async noteOriginHealth(reports: readonly OriginReport[]): Promise<void> {
    await this.#dispatcher.account.noteOriginHealth(this.#hostName, reports);
  }

  /** Reports this host's counts of rate limits, and returns those of the others. */
  async exchangeRates(report: Omit<RateReport, 'instance'>): Promise<RateAnswer> {
    const counted = { ...report, instance: this.#instance };
    return await this.#dispatcher.account.exchangeRates(counted, this.#hostName);
  }

  /** The deployed version of each uploaded Worker, with its secrets, or the reason why it cannot run. */
  async readDeployedWorkers(): Promise<RunnableVersion[]> {
    const keySealer = this.#keySealer;
    const states = await this.#dispatcher.account.listWorkerStates();
    return states.flatMap(({ worker, deployed }) =>
      deployed === undefined ? [] : [readRunnable(keySealer, worker, deployed)],
    );
  }

  /** The storage key of a class's objects; undefined if the account has no such Worker, or it no such class. */
  async findClassKey(script: string, className: string): Promise<string | undefined> {
    const state = await this.#dispatcher.account.readWorker(script);
    return state?.worker.classes.find(({ name }) => name === className)?.uniqueKey;
  }

  /** The queues of the account with their settings; undefined if there are no stores. */
  async readQueues(): Promise<readonly ConfiguredQueue[] | undefined> {
    const { account } = this.#dispatcher;
    const kinds = ['kv', 'd1', 'r2', 'queue'] as const;
    const [kv, d1, r2, queues] = await Promise.all(kinds.map((kind) => account.listStores(kind)));
    if ([kv, d1, r2, queues].every((rows) => rows!.length === 0)) return undefined;
    return queues!.map((row) => ({
      name: row.name,
      script: row.settings.consumers?.[0]?.script,
      settings: toQueueSettings(row),
    }));
  }

  /** The digests of all asset lists that versions of uploaded Workers use. */
  listWorkerAssets(): Promise<string[]> {
    return this.#dispatcher.account.listWorkerAssets();
  }

  /** The ids of all uploaded Workers, deployed or not. */
  async listWorkerIds(): Promise<string[]> {
    return (await this.#dispatcher.account.listWorkerStates()).map(({ worker }) => worker.id);
  }

  /** The digests of all code that versions of uploaded Workers use. */
  listWorkerCode(): Promise<string[]> {
    return this.#dispatcher.account.listWorkerCode();
  }

  /** Ends the open-ended responses, so that a server can close. */
  endStreams(): void {
    this.#logs.activity.endStreams();
  }

  /** The certificates of all zones, the most urgent first. */
  listCertificates(): Promise<readonly ZoneCertificate[]> {
    return askAgainIfLost(() => this.#dispatcher.account.listCertificates());
  }

  /** Counters of the store, for monitoring. */
  stats(): RuntimeStats {
    return this.runtime.stats();
  }

  /** The processes of the objects; undefined if they live in this one. */
  get hosts(): ObjectHosts | undefined {
    return this.runtime instanceof ObjectHosts ? this.runtime : undefined;
  }

  /** Rejects if the store does not answer, or if changes or events cannot be written. */
  async probe(): Promise<void> {
    await this.#dispatcher.probe();
    await this.runtime.checkWritable();
    await this.#logs.checkWritable();
  }

  async close(): Promise<void> {
    this.endStreams();
    await this.#tokenUses.write();
    await this.#anchors.close();
    await this.#logs.close();
    this.#peers[Symbol.dispose]();
    await this.runtime.close();
  }
}

/** The environment of objects, and the functions that update it. */
function createEnvironment(
  options: ControlOptions,
  changes: ChangeFeed,
  ready: Promise<void>,
): Pick<ControlParts, 'peers' | 'anchors'> & { environment: ControlEnvironment; copies: DirectoryCopies } {
  const { clock, onError } = options;
  const peers = createPeers(options, () => environment.directory, changes);
  const anchors = new AuditAnchors({ clock, onError: (error) => onError(error, '') });
  const onChange = (objectName: string): void => {
    anchors.note(objectName);
    peers.onChange(objectName);
  };
  const copies = new DirectoryCopies(() => environment.directory, { onChange, onLook: peers.onChange });
  const environment: ControlEnvironment = {
    keySealer: peers.keySealer,
    directory: new Directory((message) => DirectoryCopies.tell(copies, message), peers.catchUp),
    ready,
    checkOrigin: createOriginCheck(options.origins),
    directoryRevisionsKept: peers.directoryRevisionsKept,
    prepare: peers.prepare,
    findHostId: () => peers.hostId,
    acme: options.acme ?? noAcme,
    outbound: { origins: options.origins, mail: options.mail },
    onChange,
    onError: (error) => onError(error, ''),
  };
  return { environment, copies, peers, anchors };
}

/** The peers of a control plane: none, or the other hosts of its cluster. */
function createPeers(options: ControlOptions, directory: () => Directory, changes: ChangeFeed): Peers {
  const { cluster, onError } = options;
  if (cluster === undefined) return new Alone(options, { directory, changes });
  const parts = { options, cluster, directory, changes };
  return new SharedControl({ ...parts, onError: (error) => onError(error, '') });
}
