/** What the firewall decided about one request, and what it has to say about it. */
import type { Judged, SecurityEvent } from '#events';
import type { ChallengeKind } from '#firewall';
import type { JudgedRequest } from '../evaluation/request-events.ts';
import { eventsOf, explainedJudgement } from '../evaluation/request-events.ts';
import type { Ruling } from '../evaluation/zone-judge.ts';
import { clientGoneStatus, type HeaderField, type Outcome } from '../wire/exchange.ts';

/** `solution`: the request was about a challenge, and is answered by the firewall itself. */
export type DecisionAction = 'pass' | 'block' | ChallengeKind | 'solution';

/** To be sent in place of what the application would say. */
export interface Answer {
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
  /** In the answer's `cf-ray` and in every event. */
  readonly requestId: string;
  readonly action: DecisionAction;
  /** Undefined if the request may pass. */
  readonly answer: Answer | undefined;
  readonly rule: DecidingRule | undefined;
  readonly #judged: JudgedRequest;
  readonly #record: ((judged: JudgedRequest, outcome: Outcome) => void) | undefined;
  #isReported = false;

  constructor(
    { answer, judged }: Ruling,
    record: ((judged: JudgedRequest, outcome: Outcome) => void) | undefined,
  ) {
    const { verdict } = judged.judgement;
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
    this.rule = verdict.kind === 'pass' ? undefined : ruleOf(verdict.by);
    this.#judged = judged;
    this.#record = record;
  }

  /** One for each rule that did something. The status of what the application will answer is not known here: it is 0. */
  get events(): readonly SecurityEvent[] {
    const outcome = this.#outcome(0);
    return eventsOf(this.#judged, outcome)
      .make('plain')
      .map(({ event }) => event);
  }

  /** The steps that the request took through the rules, and of the rules that did something what was true in them. */
  explanation(): Judged {
    return explainedJudgement(this.#judged);
  }

  /**
   * Says that the request is answered, with which status; without one, that the client left before. Only then are its events
   * given to `onEvent`. Only the first call counts.
   */
  report(status: number = clientGoneStatus): void {
    if (this.#isReported) return;
    this.#isReported = true;
    this.#record?.(this.#judged, this.#outcome(status));
  }

  #outcome(status: number): Outcome {
    const isOurs = this.answer !== undefined && status !== clientGoneStatus;
    return {
      edgeStatus: isOurs ? this.answer.status : status,
      originStatus: isOurs || status === clientGoneStatus ? undefined : status,
      refusal: undefined,
    };
  }
}

function ruleOf(by: {
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly ref: string;
  readonly description: string;
}): DecidingRule {
  const { ruleId: id, rulesetId, ref, description } = by;
  return { id, rulesetId, ref, description };
}
