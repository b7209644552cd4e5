/** The control plane of one data directory, or of a cluster: opens it, bootstraps the account, answers requests. */
import { realClock } from '#base';
import type { CoreRules } from '#seclang';
import {
  type RecordedEvent,
  retentionMs,
  type DatabaseLogs,
  type TrafficRow,
  type TrafficStore,
} from '#events';
import { ObjectHosts } from '#hosts';
import type { DurableObjectId, ObjectRuntime, RuntimeStats } from '#objects';
import {
  type ApiResponse,
  type ApiRequest,
  type FoundSession,
  type OpenedSession,
  Sessions,
} from '#contract';
import type { BootstrappedAccount } from './objects/bootstrap.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import { AuditAnchors } from './audit-anchors.ts';
import { ApiPipeline } from './pipeline/pipeline.ts';
import { defaultRateLimit } from './pipeline/limits/rate-limit.ts';
import type { ControlOptions } from './control-options.ts';
import { SharedActivity } from './clustered/shared-activity.ts';
import { SharedControl } from './clustered/shared-control.ts';
import { directoryRevisionsKept } from './clustered/limits.ts';
import { DirectoryCopies } from './directory-copies.ts';
import { createKeySealer } from './object-process-environment.ts';
import { type ControlFiles, moveFrom010, openDatabaseLogs, openLogs } from './open-logs.ts';
import { createSessionStore, openRuntime } from './open-stores.ts';
import { ChangeFeed } from './pipeline/change-feed.ts';
import { noAcme } from './context/acme-settings.ts';
import { Directory } from './context/directory.ts';
import type { ControlEnvironment } from './context/environment.ts';
import { createOriginCheck } from './operations/edge/origin-check.ts';
import type { FeedSource } from './operations/edge/configuration-feed.ts';
import { createOutOfForceEvent } from './configuration/out-of-force.ts';
import type { Activity } from './operations/events/activity.ts';
import { type TokenUses, tokenUsesName } from './objects/token-uses.ts';
import { TokenUseLog } from './pipeline/token-use-log.ts';
import type { SessionSubject } from './sessions/session-object.ts';

interface ControlParts {
  readonly runtime: ObjectRuntime;
  readonly files: ControlFiles | undefined;
  readonly traffic: TrafficStore | SharedActivity;
  readonly shared: SharedControl | undefined;
  readonly activity: Activity;
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions<SessionSubject>;
  readonly tokenUses: TokenUseLog;
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly copies: DirectoryCopies;
  readonly anchors: AuditAnchors;
  readonly logs: DatabaseLogs | undefined;
}

export class Control {
  readonly runtime: ObjectRuntime;
  /** Undefined in a cluster, where everything is in objects. */
  readonly files: ControlFiles | undefined;
  /** What the first start created, including the secrets; undefined on later starts. */
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly #traffic: TrafficStore | SharedActivity;
  readonly #shared: SharedControl | undefined;
  readonly #copies: DirectoryCopies;
  readonly #dispatcher: Dispatcher;
  readonly #pipeline: ApiPipeline;
  readonly #sessions: Sessions<SessionSubject>;
  readonly #now: () => number;
  readonly #activity: Activity;
  readonly #tokenUses: TokenUseLog;
  readonly #anchors: AuditAnchors;
  readonly #logs: DatabaseLogs | undefined;

  private constructor(parts: ControlParts, options: ControlOptions) {
    const { runtime, files, shared, activity, dispatcher, sessions, tokenUses, bootstrapped } = parts;
    this.#copies = parts.copies;
    this.#anchors = parts.anchors;
    this.#logs = parts.logs;
    this.#shared = shared;
    this.#traffic = parts.traffic;
    this.runtime = runtime;
    this.files = files;
    this.#activity = activity;
    this.#tokenUses = tokenUses;
    this.bootstrapped = bootstrapped;
    this.#dispatcher = dispatcher;
    const { rateLimit = defaultRateLimit, clock = realClock, onError, onAnswer } = options;
    this.#sessions = sessions;
    this.#now = () => clock.now();
    this.#pipeline = new ApiPipeline({
      dispatcher,
      sessions,
      tokenUses,
      rateLimit,
      now: this.#now,
      ...(shared === undefined ? {} : { ensureFresh: () => shared.ensureFresh() }),
      onError,
      onAnswer,
    });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const {
      bootstrap,
      readMetrics = async () => [],
      allowsObjectWrites = false,
      clock = realClock,
    } = options;
    const changes = new ChangeFeed();
    const ready = Promise.withResolvers<void>();
    const { environment, copies, shared, anchors, logs } = createEnvironment(options, changes, ready.promise);
    await using opened = new AsyncDisposableStack();
    if (shared !== undefined) opened.use(shared);
    opened.use(logs);
    const runtime = opened.use(await openRuntime(options, environment, copies));
    anchors.begin(runtime);
    await shared?.open(runtime);
    const { files, traffic, activity, hasZone } = await openLogs(options, runtime, environment, opened);
    const tokenUses = await TokenUseLog.open({
      findStore: () => runtime.namespace<TokenUses>('TokenUses').getByName(tokenUsesName),
      clock,
      hasToken: (tokenId) => environment.directory.tokens.has(tokenId),
      onError: environment.onError,
    });
    const dispatcher = new Dispatcher({
      runtime,
      environment,
      activity,
      traffic,
      changes,
      tokenUses,
      isHosted: options.hosts !== undefined,
      others: shared,
      readMetrics,
      allowsObjectWrites,
      anchorAudits: (names) => anchors.anchor(names),
    });
    const bootstrapped = await dispatcher.account.bootstrap(bootstrap);
    await dispatcher.load();
    await moveFrom010(options, { runtime, files, hasZone });
    const store = createSessionStore(runtime, async () => shared?.spreadSessions());
    const sessions = await Sessions.load(store);
    await shared?.begin({
      pull: () => dispatcher.pull(),
      reloadSessions: () => sessions.reload(),
      takeCoreRules: (rules) => dispatcher.setCoreRules(rules),
      answerHere: (call) => dispatcher.answerForOther(call),
    });
    ready.resolve();
    DirectoryCopies.setReady(copies);
    opened.move();
    const parts = {
      runtime,
      files,
      traffic,
      shared,
      activity,
      dispatcher,
      sessions,
      tokenUses,
      bootstrapped,
      copies,
      anchors,
      logs,
    };
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

  /** To be called when an operator has changed an object: what is in memory follows, and the edges. */
  async followChanged(className: string, id: DurableObjectId): Promise<void> {
    if (className === 'Account') await this.#dispatcher.reload();
    if (className === 'Zone') await this.#dispatcher.followZone(id);
    if (className === 'Sessions') {
      await this.#sessions.reload();
      await this.#shared?.spreadSessions();
    }
  }

  answer(request: ApiRequest): Promise<ApiResponse> {
    return this.#pipeline.answer(request);
  }

  /** Signs in at the dashboard with the credentials of the request; throws the fault of a request that may not. */
  openSession(request: Pick<ApiRequest, 'headers' | 'address'>): Promise<OpenedSession> {
    return this.#pipeline.openSession(request);
  }

  /** The CSRF token of the session that the cookie of the request names, if there is one. */
  findSession(headers: ApiRequest['headers']): FoundSession<SessionSubject> | undefined {
    return this.#sessions.find(headers, this.#now());
  }

  closeSession({ hash }: FoundSession<SessionSubject>): Promise<void> {
    return this.#sessions.close(hash);
  }

  /** Replaces the rules of the OWASP ruleset, on every host and at the edges; undefined if none are installed. */
  async setCoreRules(rules: CoreRules | undefined): Promise<void> {
    if (this.#shared !== undefined) return await this.#shared.setCoreRules(rules);
    await DirectoryCopies.setCoreRules(this.#copies, rules);
    await this.#dispatcher.setCoreRules(rules);
  }

  /** Puts these rules in force at the start, unless the cluster has others. Answers whether any are in force. */
  async beginCoreRules(rules: CoreRules | undefined): Promise<boolean> {
    if (this.#shared !== undefined) {
      await this.#shared.offerCoreRules(rules);
      return this.#shared.hasCoreRules;
    }
    if (rules !== undefined) await this.setCoreRules(rules);
    return rules !== undefined;
  }

  /** The configuration of each zone, for `readConfigurations`. It contains only what is on disk. */
  get configurations(): FeedSource {
    return this.#dispatcher.configurations;
  }

  /** Appends events to the log of a zone, then notifies open streams. Resolves when the events are on disk. */
  appendEvents(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    return this.#activity.record(zoneId, events, retentionMs);
  }

  /**
   * A thread or a process of an edge was ended because judging by the rule did not end. The second time takes the rule out
   * of force in the zone until it is changed, with an event. Answers whether that has happened now.
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
    await this.#activity.record(zoneId, [{ event }], retentionMs[zone.plan]);
    return true;
  }

  /** Adds what an edge counted of its requests. It can be read at once, and is on disk within a minute. */
  addTraffic(rows: readonly TrafficRow[]): void {
    this.#traffic.add(rows);
  }

  /** Ends the responses that have no end of their own, so that a server can close. */
  endStreams(): void {
    this.#activity.endStreams();
  }

  /** What the store counts, for monitoring. */
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
    await this.files?.events.checkWritable();
  }

  async close(): Promise<void> {
    this.endStreams();
    await this.#tokenUses.write();
    await this.#anchors.close();
    if (this.#traffic instanceof SharedActivity) await this.#traffic.write();
    this.#shared?.[Symbol.dispose]();
    await this.files?.events.close();
    await this.files?.traffic.close();
    await this.runtime.close();
    this.#logs?.[Symbol.dispose]();
  }
}

/** What objects find around them, and what brings news into it. */
function createEnvironment(
  options: ControlOptions,
  changes: ChangeFeed,
  ready: Promise<void>,
): Pick<ControlParts, 'copies' | 'shared' | 'anchors' | 'logs'> & { environment: ControlEnvironment } {
  const { directory, clock, onError } = options;
  const shared = openInDatabase(options, () => environment.directory, changes);
  const anchors = new AuditAnchors({ clock, onError: (error) => onError(error, '') });
  const tell = shared?.onChange ?? ((objectName: string) => changes.tell(objectName));
  const onChange = (objectName: string): void => {
    anchors.note(objectName);
    tell(objectName);
  };
  const copies = new DirectoryCopies(() => environment.directory, { onChange, onLook: tell });
  const logs = openDatabaseLogs(options);
  const environment: ControlEnvironment = {
    keySealer: shared?.keySealer ?? createKeySealer(directory),
    directory: new Directory((message) => DirectoryCopies.tell(copies, message), shared?.catchUp),
    ready,
    checkOrigin: createOriginCheck(options.origins),
    acme: options.acme ?? noAcme,
    onChange,
    onError: (error) => onError(error, ''),
    ...(shared === undefined
      ? {}
      : { prepare: shared.prepare, findHostId: () => shared.hostId, directoryRevisionsKept, logs }),
  };
  return { environment, copies, shared, anchors, logs };
}

function openInDatabase(
  { cluster, onError }: ControlOptions,
  directory: () => Directory,
  changes: ChangeFeed,
): SharedControl | undefined {
  if (cluster === undefined) return undefined;
  return new SharedControl({ cluster, directory, changes, onError: (error) => onError(error, '') });
}
