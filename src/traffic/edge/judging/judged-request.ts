/** A request as it is judged, and the result. */
import type { Judged } from '#events';
import type { ChallengeKind } from '#rulesets';
import type { CompiledZone, Judgement } from '#firewall';
import type { BodyReadings, RequestFacts } from '#request';
import type { GeoFacts } from './geo.ts';
import type { TargetReadings } from './target-readings.ts';
import type { IncomingRequest } from '../wire/exchange.ts';

export interface ReadableBody extends BodyReadings {
  /** Size as sent. */
  readonly size: number;
}

/** The input of judging. */
export interface ReadRequest {
  readonly request: IncomingRequest;
  readonly body: ReadableBody | undefined;
  readonly readings: TargetReadings;
  /** The result of rules that ran on it before; undefined if there are none. */
  readonly before?: Judgement | undefined;
  readonly geo: GeoFacts;
  /** The strongest challenge that the client has solved recently. */
  readonly clearance: ChallengeKind | undefined;
}

export interface JudgedRequest {
  /** Rules do not judge solutions of challenges. */
  readonly by: 'rules' | 'challenges';
  readonly request: IncomingRequest;
  readonly zone: CompiledZone;
  /**
   * The judged view is not retained: its computed values can be forty times as large, and would be held until the
   * response.
   */
  readonly facts: RequestFacts;
  readonly judgement: Judgement;
  readonly geo: GeoFacts;
  /**
   * Whether detectors found anything; undefined if no rule used them, or if the request was judged in another thread.
   */
  readonly hasFindings?: boolean | undefined;
  /** Set if the request was judged in another thread, where the explanation is created. */
  readonly explanation?: Judged;
  /** The input of judging, if rules wait for the response: the request may have to be judged again with it. */
  readonly awaited?: ReadRequest;
}
