/** The control plane of one data directory: opens it, bootstraps the account, answers requests. */
import { join } from 'node:path';
import { realClock } from '#base';
import type { CoreRules } from '#crs';
import {
  EventStore,
  moveOldEvents,
  OldEventLog,
  type RecordedEvent,
  retentionMs as retentionByPlan,
  type TrafficRow,
  TrafficStore,
} from '#events';
import {
  createRuntime,
  type DurableObjectId,
  type Runtime,
  type RuntimeOptions,
  type RuntimeStats,
} from '#objects';
import {
  type ApiResponse,
  type ApiRequest,
  type FoundSession,
  type OpenedSession,
  Sessions,
  type SessionStore,
} from '#api';
import { Account } from './objects/account.ts';
import type { BootstrappedAccount, BootstrapOptions } from './objects/bootstrap.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import { type ResponseReport, ApiPipeline } from './pipeline/pipeline.ts';
import { type ApiRateLimitOptions, defaultRateLimit } from './pipeline/rate-limit.ts';
import { ChangeFeed } from './context/change-feed.ts';
import { type ControlEnvironment, Directory, type OriginCheck } from './context/directory.ts';
import { KeySealer } from './context/key-sealer.ts';
import type { FeedSource } from './operations/edge/configuration-feed.ts';
import { Activity } from './operations/events/activity.ts';
import type { MetricReading } from './operations/several-objects.ts';
import { TokenUses, tokenUsesName } from './objects/token-uses.ts';
import { Zone } from './objects/zone.ts';
import { TokenUseLog } from './pipeline/token-use-log.ts';
import { SessionObject, sessionObjectName, type SessionSubject } from './sessions/session-object.ts';

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
  /** Refuses origins when they are set; without it, only the edge does, when it connects. */
  readonly checkOrigin?: OriginCheck;
  /** What the program measures; without it, nothing. */
  readonly readMetrics?: () => Promise<readonly MetricReading[]>;
  /** Whether values and rows of zones may be written over the API, past the checks of its operations. */
  readonly allowsObjectWrites?: boolean;
  readonly onError: (error: unknown, requestId: string) => void;
  /** Called after each response, for metrics. */
  readonly onAnswer?: (report: ResponseReport) => void;
}

interface ControlParts {
  readonly runtime: Runtime;
  readonly events: EventStore;
  readonly traffic: TrafficStore;
  readonly activity: Activity;
  readonly dispatcher: Dispatcher;
  readonly sessions: Sessions<SessionSubject>;
  readonly tokenUses: TokenUseLog;
  readonly bootstrapped: BootstrappedAccount | undefined;
}

export class Control {
  readonly runtime: Runtime;
  readonly events: EventStore;
  /** How many requests each zone had. */
  readonly traffic: TrafficStore;
  /** What the first start created, including the secrets; undefined on later starts. */
  readonly bootstrapped: BootstrappedAccount | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #pipeline: ApiPipeline;
  readonly #sessions: Sessions<SessionSubject>;
  readonly #now: () => number;
  readonly #activity: Activity;
  readonly #tokenUses: TokenUseLog;

  private constructor(parts: ControlParts, options: ControlOptions) {
    const { runtime, events, traffic, activity, dispatcher, sessions, tokenUses, bootstrapped } = parts;
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
      checkOrigin = () => undefined,
      readMetrics = async () => [],
      allowsObjectWrites = false,
      directory,
      retentionMs,
      clock = realClock,
      log,
    } = options;
    const changes = new ChangeFeed();
    const ready = Promise.withResolvers<void>();
    const environment: ControlEnvironment = {
      keySealer: new KeySealer(join(options.directory, 'certificates.key')),
      directory: new Directory(),
      findTokenUse: () => undefined,
      ready: ready.promise,
      checkOrigin,
      onChange: (objectName) => changes.tell(objectName),
      onError: (error) => onError(error, ''),
    };
    await using opened = new AsyncDisposableStack();
    const runtime = opened.use(
      await createRuntime({
        ...pickStorage(options),
        directory,
        ...(retentionMs === undefined ? {} : { retentionMs }),
        env: environment,
        classes: {
          Account: { class: Account, storage: 'sql' },
          Zone: { class: Zone, storage: 'sql' },
          TokenUses: { class: TokenUses, storage: 'kv' },
          EventLog: { class: OldEventLog, storage: 'sql' },
          Sessions: { class: SessionObject, storage: 'sql' },
        },
      }),
    );
    const events = opened.use(await openEvents(options));
    const traffic = opened.use(await openTraffic(options, environment.directory));
    const hasZone = (zoneId: string): boolean => environment.directory.zones.has(zoneId);
    const activity = new Activity({ store: events, clock, hasZone });
    const dispatcher = new Dispatcher({
      runtime,
      environment,
      activity,
      traffic,
      changes,
      readMetrics,
      allowsObjectWrites,
    });
    const bootstrapped = await dispatcher.account.bootstrap(bootstrap);
    await dispatcher.load();
    const moved = await moveOldEvents({ runtime, store: events, hasZone });
    if (moved > 0) log?.(`moved ${moved} events of version 0.1.0 into the new form of the activity log`);
    const sessions = await Sessions.load(createSessionStore(runtime));
    const tokenUses = await TokenUseLog.open({
      findStore: () => runtime.namespace<TokenUses>('TokenUses').getByName(tokenUsesName),
      clock,
      hasToken: (tokenId) => environment.directory.tokens.has(tokenId),
      onError: environment.onError,
    });
    environment.findTokenUse = (tokenId) => tokenUses.find(tokenId);
    ready.resolve();
    opened.move();
    const parts = { runtime, events, traffic, activity, dispatcher, sessions, tokenUses, bootstrapped };
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
  setCoreRules(rules: CoreRules | undefined): Promise<void> {
    return this.#dispatcher.setCoreRules(rules);
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

/** A stub stays broken once it has seen its object break, so each call has one of its own. */
function createSessionStore(runtime: Runtime): SessionStore<SessionSubject> {
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
