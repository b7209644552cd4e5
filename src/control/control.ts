/** The control plane of one data directory: opens it, bootstraps the account, answers requests. */
import { extname, join } from 'node:path';
import { type Log, type OriginRulesOptions, realClock } from '#base';
import type { CoreRules } from '#crs';
import {
  EventStore,
  type RecordedEvent,
  retentionMs as retentionByPlan,
  type TrafficRow,
  TrafficStore,
} from '#events';
import { arrangeForOneProcess, createHosts, ObjectHosts, type ObjectHostsOptions } from '#hosts';
import {
  createRuntime,
  type DurableObjectId,
  type ObjectRuntime,
  type RuntimeOptions,
  type RuntimeStats,
  VirtualClock,
} from '#objects';
import {
  type ApiResponse,
  type ApiRequest,
  type FoundSession,
  type OpenedSession,
  Sessions,
  type SessionStore,
} from '#api';
import type { BootstrappedAccount, BootstrapOptions } from './objects/bootstrap.ts';
import { moveOldEvents } from './objects/move-old-events.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import { type ResponseReport, ApiPipeline } from './pipeline/pipeline.ts';
import { type ApiRateLimitOptions, defaultRateLimit } from './pipeline/rate-limit.ts';
import { controlService, DirectoryCopies } from './directory-copies.ts';
import { controlClasses, createKeySealer } from './host-environment.ts';
import { ChangeFeed } from './pipeline/change-feed.ts';
import { Directory } from './context/directory.ts';
import type { ControlEnvironment } from './context/environment.ts';
import { createOriginCheck } from './operations/edge/origin-check.ts';
import type { ControlHostData } from './host-module.ts';
import type { FeedSource } from './operations/edge/configuration-feed.ts';
import { Activity } from './operations/events/activity.ts';
import type { MetricReading } from './operations/several-objects.ts';
import { type TokenUses, tokenUsesName } from './objects/token-uses.ts';
import { TokenUseLog } from './pipeline/token-use-log.ts';
import { type SessionObject, sessionObjectName, type SessionSubject } from './sessions/session-object.ts';

/** Below the data directory. */
const eventDirectoryName = 'events';
const trafficDirectoryName = 'traffic';

export interface ControlOptions extends Pick<
  RuntimeOptions,
  'directory' | 'durability' | 'clock' | 'log' | 'fs' | 'retentionMs'
> {
  readonly bootstrap: BootstrapOptions;
  /** Events are kept at most this long, however long the plan of their zone shows them. */
  readonly eventRetentionMsMax?: number;
  /** The limit per user, across all their credentials. The default is 1,200 requests in five minutes. */
  readonly rateLimit?: ApiRateLimitOptions | 'off';
  /** Which origins are refused when they are set; without it, only the edge refuses them, when it connects. */
  readonly origins?: OriginRulesOptions;
  /** What the program measures; without it, nothing. */
  readonly readMetrics?: () => Promise<readonly MetricReading[]>;
  /** Whether values and rows of zones may be written over the API, past the checks of its operations. */
  readonly allowsObjectWrites?: boolean;
  /** The processes in which objects live; in this one by default. */
  readonly hosts?: ControlHosts | undefined;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Called after each response, for metrics. */
  readonly onAnswer?: (report: ResponseReport) => void;
}

export interface ControlHosts extends Pick<ObjectHostsOptions, 'cpuMsMax' | 'heapBytesMax' | 'onEnd'> {
  readonly count: number;
  readonly log: Log;
}

interface ControlParts {
  readonly runtime: ObjectRuntime;
  readonly events: EventStore;
  readonly traffic: TrafficStore;
  readonly activity: Activity;
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions<SessionSubject>;
  readonly tokenUses: TokenUseLog;
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly copies: DirectoryCopies;
}

export class Control {
  readonly runtime: ObjectRuntime;
  readonly events: EventStore;
  /** How many requests each zone had. */
  readonly traffic: TrafficStore;
  /** What the first start created, including the secrets; undefined on later starts. */
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly #copies: DirectoryCopies;
  readonly #dispatcher: Dispatcher;
  readonly #pipeline: ApiPipeline;
  readonly #sessions: Sessions<SessionSubject>;
  readonly #now: () => number;
  readonly #activity: Activity;
  readonly #tokenUses: TokenUseLog;

  private constructor(parts: ControlParts, options: ControlOptions) {
    const { runtime, events, traffic, activity, dispatcher, sessions, tokenUses, bootstrapped } = parts;
    this.#copies = parts.copies;
    this.runtime = runtime;
    this.events = events;
    this.traffic = traffic;
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
      onError,
      onAnswer,
    });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const {
      bootstrap,
      onError,
      readMetrics = async () => [],
      allowsObjectWrites = false,
      directory,
      clock = realClock,
      log,
    } = options;
    const changes = new ChangeFeed();
    const copies = new DirectoryCopies(
      () => environment.directory,
      (objectName) => changes.tell(objectName),
    );
    const ready = Promise.withResolvers<void>();
    const environment: ControlEnvironment = {
      keySealer: createKeySealer(directory),
      directory: new Directory((message) => DirectoryCopies.tell(copies, message)),
      ready: ready.promise,
      checkOrigin: createOriginCheck(options.origins),
      onChange: (objectName) => changes.tell(objectName),
      onError: (error) => onError(error, ''),
    };
    await using opened = new AsyncDisposableStack();
    const runtime = opened.use(await openRuntime(options, environment, copies));
    const events = opened.use(await openEvents(options));
    const traffic = opened.use(await openTraffic(options, environment.directory));
    const hasZone = (zoneId: string): boolean => environment.directory.zones.has(zoneId);
    const activity = new Activity({ store: events, clock, hasZone });
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
      readMetrics,
      allowsObjectWrites,
    });
    const bootstrapped = await dispatcher.account.bootstrap(bootstrap);
    await dispatcher.load();
    const moved = await moveOldEvents({ runtime, store: events, hasZone });
    if (moved > 0) log?.(`moved ${moved} events of version 0.1.0 into the new form of the activity log`);
    const sessions = await Sessions.load(createSessionStore(runtime));
    ready.resolve();
    DirectoryCopies.setReady(copies);
    opened.move();
    const parts = {
      runtime,
      events,
      traffic,
      activity,
      dispatcher,
      sessions,
      tokenUses,
      bootstrapped,
      copies,
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

  /** To be called when an operator has put an object back or replaced it: what is in memory follows, and the edges. */
  async followReplaced(className: string, id: DurableObjectId): Promise<void> {
    if (className === 'Account') await this.#dispatcher.reload();
    if (className === 'Zone') await this.#dispatcher.followZone(id);
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

  /** Replaces the rules of the OWASP ruleset, here and at the edges; undefined if none are installed. */
  async setCoreRules(rules: CoreRules | undefined): Promise<void> {
    await DirectoryCopies.setCoreRules(this.#copies, rules);
    await this.#dispatcher.setCoreRules(rules);
  }

  /** The configuration of each zone, for `readConfigurations`. It contains only what is on disk. */
  get configurations(): FeedSource {
    return this.#dispatcher.configurations;
  }

  /** Appends events to the log of a zone, then notifies open streams. Resolves when the events are on disk. */
  appendEvents(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    return this.#activity.record(zoneId, events, retentionMs);
  }

  /** Adds what an edge counted of its requests. It can be read at once, and is on disk within a minute. */
  addTraffic(rows: readonly TrafficRow[]): void {
    this.traffic.add(rows);
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
    await this.#dispatcher.refresh();
    await this.runtime.checkWritable();
    await this.events.checkWritable();
  }

  async close(): Promise<void> {
    this.endStreams();
    await this.#tokenUses.write();
    await this.events.close();
    await this.traffic.close();
    await this.runtime.close();
  }
}

async function openRuntime(
  options: ControlOptions,
  environment: ControlEnvironment,
  copies: DirectoryCopies,
): Promise<ObjectRuntime> {
  const { directory, retentionMs, hosts } = options;
  const kept = { directory, ...(retentionMs === undefined ? {} : { retentionMs }) };
  const storage = { ...pickStorage(options), ...kept };
  if (hosts === undefined) {
    const warn = (message: string): void => options.log?.(message);
    // Tests that replace the disk have no hosts before.
    if (options.fs === undefined)
      await arrangeForOneProcess({ directory, log: { debug() {}, info() {}, warn, error: warn } });
    return createRuntime({ ...storage, env: environment, classes: controlClasses });
  }
  const { count, ...settings } = hosts;
  const { durability, clock } = storage;
  return createHosts({
    ...kept,
    ...(durability === undefined ? {} : { durability }),
    ...(clock instanceof VirtualClock ? { clock } : {}),
    ...settings,
    hosts: count,
    module: new URL(`./host-module${extname(import.meta.filename)}`, import.meta.url),
    data: { directory, origins: options.origins } satisfies ControlHostData,
    services: { [controlService]: copies },
  });
}

/** A stub stays broken once it has seen its object break, so each call has one of its own. */
function createSessionStore(runtime: ObjectRuntime): SessionStore<SessionSubject> {
  const find = () => runtime.namespace<SessionObject>('Sessions').getByName(sessionObjectName);
  return {
    add: (session, nowMs) => find().add(session, nowMs),
    remove: (hash) => find().remove(hash),
    list: () => find().list(),
  };
}

type Storage = Pick<RuntimeOptions, 'durability' | 'clock' | 'log' | 'fs'>;

function pickStorage({ durability, clock, log, fs }: ControlOptions): Storage {
  return {
    ...(durability === undefined ? {} : { durability }),
    ...(clock === undefined ? {} : { clock }),
    ...(log === undefined ? {} : { log }),
    ...(fs === undefined ? {} : { fs }),
  };
}

/** The caller holds the lock of the directory. */
function openEvents(options: ControlOptions): Promise<EventStore> {
  const { directory, onError, eventRetentionMsMax: retentionMsMax } = options;
  return EventStore.open({
    clock: realClock,
    log: (message, error) => onError(new Error(message, { cause: error }), ''),
    ...pickStorage(options),
    directory: join(directory, eventDirectoryName),
    ...(retentionMsMax === undefined ? {} : { retentionMsMax }),
  });
}

/** Counts are kept as long as events. */
function openTraffic(options: ControlOptions, { zones }: Directory): Promise<TrafficStore> {
  const { directory, onError, eventRetentionMsMax = Infinity } = options;
  return TrafficStore.open({
    clock: realClock,
    log: (message, error) => onError(new Error(message, { cause: error }), ''),
    ...pickStorage(options),
    directory: join(directory, trafficDirectoryName),
    retentionOf(zoneId) {
      const plan = zones.get(zoneId)?.plan;
      return plan === undefined ? undefined : Math.min(retentionByPlan[plan], eventRetentionMsMax);
    },
  });
}
