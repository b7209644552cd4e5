/**
 * One request on its way through the steps. A step looks at what earlier ones skipped, adds what its rules did, and may
 * end the run with a verdict.
 */
import type { RequestView } from '#expressions';
import type { ChallengeKind, VerdictAction } from '../actions.ts';
import type { BlockResponse } from '../model.ts';
import type { StepReport, Triggered, TriggeredAction, Verdict } from './judgement.ts';

export interface RunSettings {
  readonly view: RequestView;
  /** The client has solved a challenge of this zone not long ago. */
  readonly hasClearance: boolean;
}

export interface Step {
  readonly readsBody: boolean;
  run(run: Run): void;
}

export class Run {
  readonly view: RequestView;
  readonly hasClearance: boolean;
  readonly triggered: Triggered[] = [];
  readonly reports: StepReport[] = [];
  /** By name, with the rule that skips it. */
  readonly skippedPhases = new Map<string, string>();
  readonly skippedProducts = new Map<string, string>();
  verdict: Verdict | undefined;
  isBodyGuarded = false;

  constructor({ view, hasClearance }: RunSettings) {
    this.view = view;
    this.hasClearance = hasClearance;
  }

  /** Does what a rule that matched says. Answers whether its list goes on. */
  act(action: VerdictAction, rule: Omit<Triggered, 'action'>, response?: BlockResponse): boolean {
    if (action === 'log') {
      this.triggered.push({ ...rule, action });
      return true;
    }
    if (action === 'block') {
      const by: Triggered = { ...rule, action };
      this.triggered.push(by);
      this.verdict = { kind: 'block', by, ...(response === undefined ? {} : { response }) };
      return false;
    }
    return this.#challenge(action, rule);
  }

  #challenge(challenge: ChallengeKind, rule: Omit<Triggered, 'action'>): boolean {
    const { asked, passed } = challengeActions[challenge];
    const by: Triggered = { ...rule, action: this.hasClearance ? passed : asked };
    this.triggered.push(by);
    if (this.hasClearance) return true;
    this.verdict = { kind: 'challenge', by, challenge };
    return false;
  }
}

const challengeActions: Readonly<
  Record<ChallengeKind, { readonly asked: TriggeredAction; readonly passed: TriggeredAction }>
> = {
  challenge: { asked: 'challenge', passed: 'challengebypassed' },
  js_challenge: { asked: 'jschallenge', passed: 'jschallengebypassed' },
  managed_challenge: { asked: 'managed_challenge', passed: 'managedchallengebypassed' },
};
