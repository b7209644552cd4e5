/**
 * What the rules of one zone say about a request, whoever asks: the proxy, or an application that has the firewall inside.
 * Without a body, or with rules that do not look at bodies, they say it at once.
 */
import { RequestFields, RequestView } from '#rules';
import type { CompiledZone, Judgement, Triggered } from '#firewall';
import { ChallengeDesk } from '../challenge/desk.ts';
import { solutionPath } from '../challenge/page.ts';
import type { AnswerVerdict, IncomingRequest, InspectedBody } from '../wire/exchange.ts';
import { blockAnswer } from './answers.ts';
import type { GeoDatabase } from './geo.ts';
import type { JudgedRequest } from './request-events.ts';
import { factsOf } from './request-facts.ts';

export interface Ruling {
  /** What the client gets in place of what it asked for; undefined if the request may go on. */
  readonly answer: AnswerVerdict | undefined;
  readonly judged: JudgedRequest;
}

export interface ZoneJudgeOptions {
  readonly geo: GeoDatabase;
  /** Signs puzzles and clearances. */
  readonly secret: Uint8Array;
}

export class ZoneJudge {
  readonly #geo: GeoDatabase;
  readonly #desk: ChallengeDesk;

  constructor({ geo, secret }: ZoneJudgeOptions) {
    this.#geo = geo;
    this.#desk = new ChallengeDesk(secret);
  }

  /** `inspect` is asked for the body at most once, and only if there is one that matters. */
  judge(
    zone: CompiledZone,
    request: IncomingRequest,
    inspect: () => Promise<InspectedBody>,
  ): Ruling | Promise<Ruling> {
    if (request.target === solutionPath && request.method === 'POST') {
      return inspect().then((body) => this.#take(zone, request, body));
    }
    if (request.body === undefined || !zone.readsBody) return this.#rule(zone, request, undefined);
    return inspect().then((body) => this.#rule(zone, request, body));
  }

  #take(zone: CompiledZone, request: IncomingRequest, body: InspectedBody): Ruling {
    const { zone: named } = zone.configuration;
    const { answer, triggered } = this.#desk.take(request, named, body);
    const geo = this.#geo.find(request.clientAddress);
    const view = new RequestView(new RequestFields(factsOf({ request, zone: named, body, geo })));
    const judgement: Judgement = {
      verdict: { kind: 'pass' },
      triggered: triggered === undefined ? [] : [triggered],
      steps: [],
    };
    return { answer, judged: { by: 'desk', request, zone, view, judgement, geo } };
  }

  #rule(zone: CompiledZone, request: IncomingRequest, body: InspectedBody | undefined): Ruling {
    const { zone: named } = zone.configuration;
    const geo = this.#geo.find(request.clientAddress);
    const facts = factsOf({ request, zone: named, body, geo });
    const view = new RequestView(new RequestFields(facts));
    const hasClearance = this.#desk.hasClearance(request, named);
    const judgement = withOversize(zone.judge({ view, hasClearance }), zone, facts.isBodyTruncated);
    return {
      answer: this.#answer(zone, request, judgement),
      judged: { by: 'rules', request, zone, view, judgement, geo },
    };
  }

  #answer(
    { configuration }: CompiledZone,
    request: IncomingRequest,
    { verdict }: Judgement,
  ): AnswerVerdict | undefined {
    switch (verdict.kind) {
      case 'pass':
        return undefined;
      case 'block':
        return blockAnswer(request.id, verdict.response);
      case 'challenge':
        return this.#desk.challenge(request, configuration.zone, verdict);
    }
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
function withOversize(judgement: Judgement, zone: CompiledZone, isTruncated: boolean): Judgement {
  if (!isTruncated || judgement.verdict.kind !== 'pass') return judgement;
  const action = zone.configuration.edge.overInspectionLimit;
  const by: Triggered = { ...oversize, action };
  const triggered = [...judgement.triggered, by];
  return action === 'log'
    ? { ...judgement, triggered }
    : { ...judgement, triggered, verdict: { kind: 'block', by } };
}
