/** The control plane over one directory of objects: opens it, founds the account, answers requests. */
import { realClock } from '#base';
import { EventLog } from '#events';
import type { ZoneConfiguration } from '#firewall';
import { createRuntime, type Runtime, type RuntimeOptions } from '#objects';
import type { ApiAnswer, ApiRequest } from '#v4';
import { Account, accountName } from './account/account.ts';
import type { Founded, Founding } from './account/founding.ts';
import { Dispatcher } from './api/dispatcher.ts';
import { type AnswerReport, ApiFront } from './api/front.ts';
import { defaultRateLimit, type RateLimitOptions } from './api/rate-limit.ts';
import { ChangeFeed } from './change-feed.ts';
import { type ControlEnvironment, type Directory, emptyDirectory } from './directory.ts';
import { joined } from './edge/zone-configuration.ts';
import { Zone } from './zone/zone.ts';

export interface ControlOptions extends Pick<RuntimeOptions, 'directory' | 'durability' | 'clock' | 'log'> {
  readonly founding: Founding;
  /** Of each user, over all their credentials. 1,200 requests in five minutes unless told otherwise. */
  readonly rateLimit?: RateLimitOptions | 'off';
  readonly onError: (error: unknown, requestId: string) => void;
  /** Told of each answer, for measurements. */
  readonly onAnswer?: (report: AnswerReport) => void;
}

interface ControlParts {
  readonly runtime: Runtime;
  readonly dispatcher: Dispatcher;
  readonly changes: ChangeFeed;
  readonly founded: Founded | undefined;
}

export class Control {
  readonly runtime: Runtime;
  /** What was made at the first start, with its secrets; nothing at later ones. */
  readonly founded: Founded | undefined;
  readonly #dispatcher: Dispatcher;
  readonly #front: ApiFront;
  readonly #changes: ChangeFeed;

  private constructor({ runtime, dispatcher, changes, founded }: ControlParts, options: ControlOptions) {
    this.runtime = runtime;
    this.founded = founded;
    this.#changes = changes;
    this.#dispatcher = dispatcher;
    const { rateLimit = defaultRateLimit, clock = realClock, onError, onAnswer } = options;
    this.#front = new ApiFront({ dispatcher, rateLimit, now: () => clock.now(), onError, onAnswer });
  }

  static async open(options: ControlOptions): Promise<Control> {
    const changes = new ChangeFeed();
    const environment: ControlEnvironment = {
      directory: emptyDirectory,
      onChange: (objectName) => changes.tell(objectName),
    };
    const { founding, onError, onAnswer: _onAnswer, rateLimit: _rateLimit, ...runtimeOptions } = options;
    const runtime = await createRuntime({
      ...runtimeOptions,
      env: environment,
      classes: {
        Account: { class: Account, storage: 'sql' },
        Zone: { class: Zone, storage: 'sql' },
        EventLog: { class: EventLog, storage: 'sql' },
      },
    });
    const dispatcher = new Dispatcher(runtime, environment, (error) => onError(error, ''));
    const founded = await dispatcher.account.found(founding);
    await dispatcher.refresh();
    return new Control({ runtime, dispatcher, changes, founded }, options);
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
  async configuration(zoneId: string): Promise<ZoneConfiguration | undefined> {
    const zone = await this.runtime.namespace<Zone>('Zone').getByName(zoneId).configuration();
    return zone && joined(zone, await this.#dispatcher.account.configuration());
  }

  /** Calls with the id of each zone whose configuration may have changed, until the function that is returned is called. */
  onChange(listener: (zoneId: string) => void): () => void {
    return this.#changes.listen((objectName) => {
      if (objectName !== accountName) listener(objectName);
      else for (const zoneId of this.directory.zones.keys()) listener(zoneId);
    });
  }

  /** Rejects when the store does not answer. */
  probe(): Promise<void> {
    return this.#dispatcher.refresh();
  }

  close(): Promise<void> {
    return this.runtime.close();
  }
}
