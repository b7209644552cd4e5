/** The control plane over one directory of objects: opens it, founds the account, answers requests. */
import { realClock } from '#base';
import { EventLog, type RecordedEvent } from '#events';
import { createRuntime, type Runtime, type RuntimeOptions } from '#objects';
import type { ApiAnswer, ApiRequest } from '#api';
import { Account } from './objects/account.ts';
import type { Founded, Founding } from './objects/bootstrap.ts';
import { Dispatcher } from './pipeline/dispatcher.ts';
import { type AnswerReport, ApiFront } from './pipeline/pipeline.ts';
import { defaultRateLimit, type RateLimitOptions } from './pipeline/rate-limit.ts';
import { ChangeFeed } from './context/change-feed.ts';
import { type ControlEnvironment, type Directory, emptyDirectory } from './context/directory.ts';
import type { FeedSource } from './operations/edge/configuration-feed.ts';
import { Activity } from './operations/events/activity.ts';
import { Zone } from './objects/zone.ts';

export interface ControlOptions extends Pick<
  RuntimeOptions,
  'directory' | 'durability' | 'clock' | 'log' | 'fs'
> {
  readonly founding: Founding;
  /** Of each user, over all their credentials. 1,200 requests in five minutes unless told otherwise. */
  readonly rateLimit?: RateLimitOptions | 'off';
  readonly onError: (error: unknown, requestId: string) => void;
  /** Told of each answer, for measurements. */
  readonly onAnswer?: (report: AnswerReport) => void;
}

interface ControlParts {
  readonly runtime: Runtime;
  readonly activity: Activity;
  readonly dispatcher: Dispatcher;
  readonly founded: Founded | undefined;
}

export class Control {
  readonly runtime: Runtime;
  /** What was made at the first start, with its secrets; nothing at later ones. */
  readonly founded: Founded | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #front: ApiFront;
  readonly #activity: Activity;

  private constructor(parts: ControlParts, options: ControlOptions) {
    const { runtime, activity, dispatcher, founded } = parts;
    this.runtime = runtime;
    this.#activity = activity;
    this.founded = founded;
    this.#dispatcher = dispatcher;
    const { rateLimit = defaultRateLimit, clock = realClock, onError, onAnswer } = options;
    this.#front = new ApiFront({ dispatcher, rateLimit, now: () => clock.now(), onError, onAnswer });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const { founding, onError, onAnswer: _onAnswer, rateLimit: _rateLimit, ...runtimeOptions } = options;
    const changes = new ChangeFeed();
    const ready = Promise.withResolvers<void>();
    const environment: ControlEnvironment = {
      directory: emptyDirectory,
      ready: ready.promise,
      onChange: (objectName) => changes.tell(objectName),
      onError: (error) => onError(error, ''),
    };
    const runtime = await createRuntime({
      ...runtimeOptions,
      env: environment,
      classes: {
        Account: { class: Account, storage: 'sql' },
        Zone: { class: Zone, storage: 'sql' },
        EventLog: { class: EventLog, storage: 'sql' },
      },
    });
    const activity = new Activity({
      runtime,
      clock: options.clock ?? realClock,
      hasZone: (zoneId) => environment.directory.zones.has(zoneId),
    });
    const dispatcher = new Dispatcher({ runtime, environment, activity, changes });
    try {
      const founded = await dispatcher.account.found(founding);
      await dispatcher.refresh();
      ready.resolve();
      return new Control({ runtime, activity, dispatcher, founded }, options);
    } catch (error) {
      await runtime.close();
      throw error;
    }
  }

  get directory(): Directory {
    return this.#dispatcher.directory;
  }

  /** A key and a token for an owner who has lost theirs, which are no longer valid. */
  async renewOwner(): Promise<Pick<Founded, 'email' | 'key' | 'token'>> {
    const renewed = await this.#dispatcher.account.renewOwner();
    await this.#dispatcher.refresh();
    return renewed;
  }

  answer(request: ApiRequest): Promise<ApiAnswer> {
    return this.#front.answer(request);
  }

  /** What requests of each zone are judged by, for `readConfigurations`. What it says is on disk. */
  get configurations(): FeedSource {
    return this.#dispatcher.configurations;
  }

  /** Puts events into the log of a zone, then tells whoever watches it. Resolves when they are on disk. */
  appendEvents(zoneId: string, events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
    return this.#activity.record(zoneId, events, retentionMs);
  }

  /** Ends the answers that have no end of their own, so that a server can close. */
  endStreams(): void {
    this.#activity.endStreams();
  }

  /** Rejects when the store does not answer, or takes no writes. */
  async probe(): Promise<void> {
    await this.#dispatcher.refresh();
    await this.runtime.checkWritable();
  }

  close(): Promise<void> {
    this.endStreams();
    return this.runtime.close();
  }
}
