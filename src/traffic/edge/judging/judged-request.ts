/** A request as it is judged, and afterwards. */
import type { Judged } from '#events';
import type { ChallengeKind, CompiledZone, Judgement } from '#firewall';
import type { BodyReadings, RequestFacts } from '#request';
import type { GeoFacts } from './geo.ts';
import type { TargetReadings } from './target-readings.ts';
import type { IncomingRequest } from '../wire/exchange.ts';

export interface ReadableBody extends BodyReadings {
  /** As it was sent. */
  readonly size: number;
}

/** What is judged. */
export interface ReadRequest {
  readonly request: IncomingRequest;
  readonly body: ReadableBody | undefined;
  readonly readings: TargetReadings;
  /** What rules did to it before; undefined if there are none. */
  readonly before?: Judgement | undefined;
  readonly geo: GeoFacts;
  /** The strongest challenge that the client has solved not long ago. */
  readonly clearance: ChallengeKind | undefined;
}

export interface JudgedRequest {
  /** Solutions of challenges are not judged by rules. */
  readonly by: 'rules' | 'challenges';
  readonly request: IncomingRequest;
  readonly zone: CompiledZone;
  /**
   * The view that was judged is not kept: its computed values can be forty times as large, and would be held until the
   * response.
   */
  readonly facts: RequestFacts;
  readonly judgement: Judgement;
  readonly geo: GeoFacts;
  /** Whether detectors found anything in what was judged; undefined if no rule asked them, or that was in another thread. */
  readonly hasFindings?: boolean | undefined;
  /** Made where the request was judged, if that was in another thread. */
  readonly explanation?: Judged;
  /** What was judged, if rules wait for its response: it may have to be judged again with it. */
  readonly awaited?: ReadRequest;
}
