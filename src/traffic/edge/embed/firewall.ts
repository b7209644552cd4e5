/**
 * The firewall without the proxy, for applications that judge their own requests: as a function, or as middleware (see
 * `adapters`).
 *
 * - A request is judged by one version of the rules: the one in force when `judge` was called. `update` replaces all
 *   rules in one assignment, or throws and replaces nothing.
 * - Judging retains nothing of a request. Events wait in a bounded queue until `onEvent` has received them, a few
 *   milliseconds after the response; events that do not fit are dropped and counted.
 * - Requests arrive parsed: the framework has already decided what to do about smuggling and malformed heads.
 */
import { randomBytes } from 'node:crypto';
import {
  EventRecorder,
  type Judged,
  type RecordedEvent,
  type RecorderCounts,
  type SecurityEvent,
} from '#events';
import type { CompiledZone } from '#firewall';
import { type IpSet, parseNetworkSet } from '#addresses';
import { emptyGeoDatabase, type GeoDatabase } from '../judging/geo.ts';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { createPendingEvents } from '../judging/request-events.ts';
import { type Ruling, ZoneJudge } from '../judging/zone-judge.ts';
import type { InspectedBody, ExchangeOutcome } from '../wire/exchange.ts';
import { RequestIds } from '../wire/request-id.ts';
import { Decision } from './decision.ts';
import { compileRules, type FirewallRules } from './firewall-rules.ts';
import { type IncomingHead, toIncomingRequest } from './incoming.ts';
import { toBody, toHead, type DescribedRequest } from './sources/described-request.ts';
import { inspectWebBody, readWebHead } from './sources/web-request.ts';

interface FirewallParts {
  /** Called with each event and its explanation after the request was answered. A promise is awaited. */
  readonly onEvent?: (event: SecurityEvent, judged: Judged | undefined) => unknown;
  /** Receives internal errors, which are written to the console by default. */
  readonly onError?: (error: unknown) => void;
  /**
   * Signs challenges and clearances: at least 32 bytes, the same in all processes that serve a site. By default it is
   * random, and clients are challenged again after a restart.
   */
  readonly secret?: Uint8Array;
  /** Locations of addresses; see `openGeoDatabase`. */
  readonly geo?: GeoDatabase;
  /** Networks of proxies in front of the application, whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies?: readonly string[];
}

export type FirewallOptions = FirewallRules & FirewallParts;

export class Firewall implements AsyncDisposable {
  readonly onError: (error: unknown) => void;
  readonly #ids = new RequestIds();
  readonly #trusted: IpSet;
  readonly #rules: ZoneJudge;
  readonly #recorder: EventRecorder | undefined;
  #zone: CompiledZone;
  #version = 1;

  constructor(options: FirewallOptions) {
    const { onEvent, onError, secret, geo = emptyGeoDatabase, trustedProxies = [] } = options;
    this.onError = onError ?? ((error) => console.error(error));
    this.#trusted = parseNetworkSet(trustedProxies);
    this.#rules = new ZoneJudge({ geo, secret: secret ?? randomBytes(32), rewritesTarget: false });
    this.#recorder =
      onEvent &&
      new EventRecorder({
        write: (_, events) => this.#tell(onEvent, events),
        onError: this.onError,
      });
    this.#zone = compileRules(options, this.#version);
  }

  /** Replaces the rules for all later calls of `judge`. Throws a `TypeError` for invalid rules. */
  update(rules: FirewallRules): void {
    this.#zone = compileRules(rules, this.#version + 1);
    this.#version++;
  }

  /** Judges a description, or a Fetch API request, whose body remains readable. */
  async judge(request: DescribedRequest | Request, { peerAddress = '' } = {}): Promise<Decision> {
    if (request instanceof Request) {
      return this.judgeIncoming(readWebHead(request, peerAddress), () => inspectWebBody(request));
    }
    return this.judgeIncoming(toHead(request), async () => toBody(request));
  }

  /**
   * For adapters: judges synchronously, unless there is a body that rules inspect. Then it calls `inspect`, which must
   * leave the body readable for the application.
   */
  judgeIncoming(head: IncomingHead, inspect: () => Promise<InspectedBody>): Decision | Promise<Decision> {
    const request = toIncomingRequest(head, this.#ids.next(Date.now()), this.#trusted);
    const ruling = this.#rules.judge(this.#zone, request, inspect);
    return ruling instanceof Promise
      ? ruling.then((given) => this.#createDecision(given))
      : this.#createDecision(ruling);
  }

  /** Undefined without `onEvent`. */
  get eventCounts(): RecorderCounts | undefined {
    return this.#recorder?.counts;
  }

  /** Resolves when `onEvent` has received everything that was reported so far. */
  async flush(): Promise<void> {
    await this.#recorder?.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  #createDecision(ruling: Ruling): Decision {
    const isSilent = this.#recorder === undefined || ruling.judged.judgement.triggered.length === 0;
    return new Decision(ruling, isSilent ? undefined : this.#record);
  }

  readonly #record = (judged: JudgedRequest, outcome: ExchangeOutcome): void => {
    this.#recorder!.record(createPendingEvents(judged, outcome));
  };

  async #tell(
    onEvent: NonNullable<FirewallParts['onEvent']>,
    events: readonly RecordedEvent[],
  ): Promise<void> {
    for (const { event, judged } of events) {
      try {
        await onEvent(event, judged === undefined ? undefined : (JSON.parse(judged) as Judged));
      } catch (error) {
        this.onError(error);
      }
    }
  }
}

/** Throws a `TypeError` for invalid rules. */
export function createFirewall(options: FirewallOptions): Firewall {
  return new Firewall(options);
}
