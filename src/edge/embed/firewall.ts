/**
 * The firewall without the proxy, for applications that judge their own requests: as a function, or as middleware (see
 * `adapters`).
 *
 * - A request is judged by one version of the rules: the one in force when `judge` was called. `update` replaces them all
 *   in one assignment, or throws and replaces nothing.
 * - Judging keeps nothing of a request. Events wait in a bounded queue until `onEvent` has taken them, a few
 *   milliseconds after the answer; what does not fit is dropped and counted.
 * - Requests come parsed by somebody else: what smuggling and malformed heads look like was decided before.
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
import type { IpSet } from '#base';
import { emptyGeoDatabase, type GeoDatabase } from '../evaluation/geo.ts';
import { eventsOf, type JudgedRequest } from '../evaluation/request-events.ts';
import { type Ruling, ZoneJudge } from '../evaluation/zone-judge.ts';
import type { InspectedBody, Outcome } from '../wire/exchange.ts';
import { networkSet } from '../wire/networks.ts';
import { RequestIds } from '../wire/request-id.ts';
import { Decision } from './decision.ts';
import { compileRules, type FirewallRules } from './firewall-rules.ts';
import { type IncomingHead, incomingRequest } from './incoming.ts';
import { describedBody, describedHead, type DescribedRequest } from './sources/described-request.ts';
import { inspectWebBody, webHead } from './sources/web-request.ts';

interface FirewallParts {
  /** Given each event after its request was answered, with what explains it. A promise is waited for. */
  readonly onEvent?: (event: SecurityEvent, judged: Judged | undefined) => unknown;
  /** Told of what went wrong inside. Written to the console unless given. */
  readonly onError?: (error: unknown) => void;
  /**
   * Signs challenges and clearances: at least 32 bytes, the same in all processes that serve a site. Unless given, it is
   * random, and clients are asked again after a restart.
   */
  readonly secret?: Uint8Array;
  /** Where addresses are; see `openGeoDatabase`. */
  readonly geo?: GeoDatabase;
  /** Networks of proxies in front of the application, whose `X-Forwarded-For` and `X-Forwarded-Proto` are facts. */
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
    this.#trusted = networkSet(trustedProxies);
    this.#rules = new ZoneJudge({ geo, secret: secret ?? randomBytes(32) });
    this.#recorder =
      onEvent &&
      new EventRecorder({
        write: (_, events) => this.#tell(onEvent, events),
        onError: this.onError,
      });
    this.#zone = compileRules(options, this.#version);
  }

  /** In force for every request that is judged from now on. Throws a `TypeError` for rules that cannot be. */
  update(rules: FirewallRules): void {
    this.#zone = compileRules(rules, this.#version + 1);
    this.#version++;
  }

  /** Judges a description, or a request of the Fetch API, whose body can still be read afterwards. */
  async judge(request: DescribedRequest | Request, { peerAddress = '' } = {}): Promise<Decision> {
    if (request instanceof Request) {
      return this.judgeIncoming(webHead(request, peerAddress), () => inspectWebBody(request));
    }
    return this.judgeIncoming(describedHead(request), async () => describedBody(request));
  }

  /**
   * For adapters: judges at once, unless there is a body that rules look at. `inspect` is then called, and must leave the body
   * to the application as it was.
   */
  judgeIncoming(head: IncomingHead, inspect: () => Promise<InspectedBody>): Decision | Promise<Decision> {
    const request = incomingRequest(head, this.#ids.next(Date.now()), this.#trusted);
    const ruling = this.#rules.judge(this.#zone, request, inspect);
    return ruling instanceof Promise ? ruling.then((given) => this.#decision(given)) : this.#decision(ruling);
  }

  /** Undefined without `onEvent`. */
  get eventCounts(): RecorderCounts | undefined {
    return this.#recorder?.counts;
  }

  /** Resolves when `onEvent` has taken everything that was reported so far. */
  async flush(): Promise<void> {
    await this.#recorder?.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.flush();
  }

  #decision(ruling: Ruling): Decision {
    const isSilent = this.#recorder === undefined || ruling.judged.judgement.triggered.length === 0;
    return new Decision(ruling, isSilent ? undefined : this.#record);
  }

  readonly #record = (judged: JudgedRequest, outcome: Outcome): void => {
    this.#recorder!.record(eventsOf(judged, outcome));
  };

  async #tell(
    onEvent: NonNullable<FirewallParts['onEvent']>,
    events: readonly RecordedEvent[],
  ): Promise<void> {
    for (const { event, judged } of events) {
      try {
        await onEvent(event, judged);
      } catch (error) {
        this.onError(error);
      }
    }
  }
}

/** Throws a `TypeError` for rules that cannot be. */
export function createFirewall(options: FirewallOptions): Firewall {
  return new Firewall(options);
}
