/**
 * Judges requests for the wire: finds the zone, lets its rules speak, answers or forwards, and hands what happened to the
 * activity log. Without a body, or in a zone whose rules do not look at bodies, it does so at once.
 *
 * A request is judged by one version of its zone: the one that was in place when its head had come.
 */
import { RequestFields, RequestView } from '#rules';
import type { Judgement, Triggered } from '#firewall';
import type { EventRecorder } from '#events';
import { ChallengeDesk } from '../challenge/desk.ts';
import { solutionPath } from '../challenge/page.ts';
import type {
  AnswerVerdict,
  IncomingRequest,
  InspectedBody,
  Judge,
  Outcome,
  Verdict,
} from '../wire/exchange.ts';
import { blockAnswer, noOriginAnswer, noZoneAnswer } from './answers.ts';
import type { EdgeZone } from './edge-zone.ts';
import type { GeoDatabase } from './geo.ts';
import { factsOf } from './request-facts.ts';
import { eventsOf, type JudgedRequest } from './request-events.ts';
import type { ZoneTable } from './zone-table.ts';

export interface JudgeOptions {
  readonly zones: ZoneTable;
  readonly recorder: EventRecorder;
  readonly geo: GeoDatabase;
  /** Signs puzzles and clearances. */
  readonly secret: Uint8Array;
}

export class RequestJudge {
  readonly #zones: ZoneTable;
  readonly #recorder: EventRecorder;
  readonly #geo: GeoDatabase;
  readonly #desk: ChallengeDesk;

  constructor({ zones, recorder, geo, secret }: JudgeOptions) {
    this.#zones = zones;
    this.#recorder = recorder;
    this.#geo = geo;
    this.#desk = new ChallengeDesk(secret);
  }

  readonly judge: Judge = (request, inspect) => {
    const zone = this.#zones.find(request.host);
    if (zone === undefined) return noZoneAnswer(request.id);
    if (request.target === solutionPath && request.method === 'POST') {
      return inspect().then((body) => this.#desk.take(request, zone.rules.configuration.zone, body));
    }
    if (request.body === undefined || !zone.rules.readsBody) return this.#decide(request, zone, undefined);
    return inspect().then((body) => this.#decide(request, zone, body));
  };

  #decide(request: IncomingRequest, zone: EdgeZone, body: InspectedBody | undefined): Verdict {
    const { configuration } = zone.rules;
    const geo = this.#geo.find(request.clientAddress);
    const facts = factsOf({ request, zone: configuration.zone, body, geo });
    const view = new RequestView(new RequestFields(facts));
    const hasClearance = this.#desk.hasClearance(request, configuration.zone);
    const judgement = withOversize(
      zone.rules.judge({ view, hasClearance, wantsReports: false }),
      zone,
      facts.isBodyTruncated,
    );
    const judged: JudgedRequest = { request, zone: zone.rules, view, judgement, hasClearance, geo };
    const onResponse =
      judgement.triggered.length === 0
        ? undefined
        : (outcome: Outcome): void => this.#recorder.record(eventsOf(judged, outcome));
    return this.#verdict(request, zone, judgement, onResponse);
  }

  #verdict(
    request: IncomingRequest,
    zone: EdgeZone,
    { verdict }: Judgement,
    onResponse: AnswerVerdict['onResponse'] | undefined,
  ): Verdict {
    const reported = onResponse === undefined ? {} : { onResponse };
    const { zone: facts } = zone.rules.configuration;
    if (verdict.kind === 'block') return { ...blockAnswer(request.id, verdict.response), ...reported };
    if (verdict.kind === 'challenge') {
      return { ...this.#desk.challenge(request, facts, verdict.challenge), ...reported };
    }
    if (zone.origin === undefined) return { ...noOriginAnswer(request.id), ...reported };
    return { kind: 'forward', origin: zone.origin, zone: facts.id, ...reported };
  }
}

const oversize: Omit<Triggered, 'action'> = {
  source: 'firewallManaged',
  ruleId: 'inspection-limit',
  rulesetId: '',
  ref: 'inspection-limit',
  description: 'The body is longer than what rules can look at',
};

/** A body that could not be looked at in full never passes in silence. */
function withOversize(judgement: Judgement, zone: EdgeZone, isTruncated: boolean): Judgement {
  if (!isTruncated || judgement.verdict.kind !== 'pass') return judgement;
  const action = zone.rules.configuration.edge.overInspectionLimit;
  const by: Triggered = { ...oversize, action };
  const triggered = [...judgement.triggered, by];
  return action === 'log'
    ? { ...judgement, triggered }
    : { ...judgement, triggered, verdict: { kind: 'block', by } };
}
