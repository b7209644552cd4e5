/** The control plane over one directory of objects: opens it, founds the account, answers requests. */
import { realClock } from '#base';
import { EventLog, type RecordedEvent } from '#events';
import type { ZoneConfiguration } from '#firewall';
import { createRuntime, type Runtime, type RuntimeOptions } from '#objects';
import type { ApiAnswer, ApiRequest } from '#v4';
import { Account } from './account/account.ts';
import type { Founded, Founding } from './account/founding.ts';
import { Dispatcher } from './api/dispatcher.ts';
import { type AnswerReport, ApiFront } from './api/front.ts';
import { defaultRateLimit, type RateLimitOptions } from './api/rate-limit.ts';
import { ChangeFeed } from './change-feed.ts';
import { type ControlEnvironment, type Directory, emptyDirectory } from './directory.ts';
import { Activity } from './security/activity.ts';
import { Zone } from './zone/zone.ts';

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

  /** What the edge judges requests of a zone by; nothing if there is no such zone. What it says is on disk. */
  configuration(zoneId: string): Promise<ZoneConfiguration | undefined> {
    return this.#dispatcher.configuration(zoneId);
  }

  /**
   * Calls with the id of each zone whose configuration may have changed, also of those that came or went, until the function
   * that is returned is called.
   */
  onChange(listener: (zoneId: string) => void): () => void {
    return this.#dispatcher.onChange(listener);
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
