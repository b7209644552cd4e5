/** The decision of the firewall about one request, and its events. */
import type { Judged, SecurityEvent } from '#events';
import type { ChallengeKind } from '#rulesets';
import type { JudgedRequest } from '../judging/judged-request.ts';
import { createPendingEvents, explainRequest } from '../judging/request-events.ts';
import type { Ruling } from '../judging/zone-judge.ts';
import { clientGoneStatus, type HeaderField, type ExchangeOutcome } from '../wire/exchange.ts';

/** `solution`: the request belongs to a challenge, and the firewall itself answers it. */
export type DecisionAction = 'pass' | 'block' | ChallengeKind | 'solution';

/** The response to send in place of the application's. */
export interface FirewallResponse {
  readonly status: number;
  readonly headers: readonly HeaderField[];
  /** A string is sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** The rule that stopped the request. */
export interface DecidingRule {
  readonly id: string;
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
}

export class Decision {
  /** The id in the response's `cf-ray` and in every event. */
  readonly requestId: string;
  readonly action: DecisionAction;
  /** Undefined if the request may pass. */
  readonly answer: FirewallResponse | undefined;
  readonly rule: DecidingRule | undefined;
  readonly #judged: JudgedRequest;
  readonly #record: ((judged: JudgedRequest, outcome: ExchangeOutcome) => void) | undefined;
  #isReported = false;

  constructor(
    { answer, judged }: Ruling,
    record: ((judged: JudgedRequest, outcome: ExchangeOutcome) => void) | undefined,
  ) {
    const { verdict: given } = judged.judgement;
    // An embedded firewall has no rules that redirect or that ask objects or servers.
    const verdict =
      given.kind === 'redirect' || given.kind === 'answer' ? ({ kind: 'pass' } as const) : given;
    this.requestId = judged.request.id;
    this.action =
      judged.by === 'challenges'
        ? 'solution'
        : verdict.kind === 'challenge'
          ? verdict.challenge
          : verdict.kind;
    this.answer = answer && {
      status: answer.status,
      headers: [...answer.headers, ['cf-ray', this.requestId]],
      body: answer.body,
    };
    this.rule = verdict.kind === 'pass' ? undefined : toDecidingRule(verdict.by);
    this.#judged = judged;
    this.#record = record;
  }

  /** One event per rule that acted. The status of the application's response is not known here: it is 0. */
  get events(): readonly SecurityEvent[] {
    const outcome = this.#createOutcome(0);
    return createPendingEvents(this.#judged, outcome)
      .make('plain')
      .map(({ event }) => event);
  }

  /** The path of the request through the rules, and the explanation of the rules that acted. */
  explanation(): Judged {
    return explainRequest(this.#judged);
  }

  /**
   * Reports that the request was answered, with its status; without a status, that the client disconnected before. Only
   * then are its events passed to `onEvent`. Only the first call counts.
   */
  report(status: number = clientGoneStatus): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#record?.(this.#judged, this.#createOutcome(status));
  }

  #createOutcome(status: number): ExchangeOutcome {
    const isOurs = this.answer !== undefined && status !== clientGoneStatus;
    return {
      edgeStatus: isOurs ? this.answer.status : status,
      originStatus: isOurs || status === clientGoneStatus ? undefined : status,
      refusal: undefined,
    };
  }
}

function toDecidingRule(by: {
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
}): DecidingRule {
  const { ruleId: id, rulesetId, ref, description } = by;
  return { id, rulesetId, ref, description };
}
