/**
 * One request on its way through the steps. A step looks at what earlier ones skipped, adds what its rules did, and may
 * end the run with a verdict.
 */
import type { RequestView } from '#expressions';
import { type ChallengeKind, isAtLeastAsStrong, type VerdictAction } from '../actions.ts';
import type { BlockResponse } from '../model.ts';
import type { StepReport, Triggered, TriggeredAction, Verdict } from './judgement.ts';

export interface RunSettings {
  readonly view: RequestView;
  /** The strongest challenge of this zone that the client has solved not long ago. */
  readonly clearance?: ChallengeKind | undefined;
}

export interface Step {
  readonly readsBody: boolean;
  run(run: Run): void;
}

export class Run {
  readonly view: RequestView;
  readonly clearance: ChallengeKind | undefined;
  readonly triggered: Triggered[] = [];
  readonly reports: StepReport[] = [];
  /** By name, with the rule that skips it. */
  readonly skippedPhases = new Map<string, string>();
  readonly skippedProducts = new Map<string, string>();
  verdict: Verdict | undefined;
  isBodyGuarded = false;
  /** The rules that decide: the first one, and in a thorough run those that would have decided without it. */
  readonly deciders: Triggered[] = [];
  /** A thorough run goes on after its verdict, as if the rule that decided were not there. */
  readonly #isThorough: boolean;

  constructor({ view, clearance }: RunSettings, extent: 'until decided' | 'thorough' = 'until decided') {
    this.view = view;
    this.clearance = clearance;
    this.#isThorough = extent === 'thorough';
  }

  /** Whether no further rule matters. */
  get isOver(): boolean {
    return this.verdict !== undefined && !this.#isThorough;
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
      return this.#decide({ kind: 'block', by, ...(response === undefined ? {} : { response }) });
    }
    return this.#challenge(action, rule);
  }

  #challenge(challenge: ChallengeKind, rule: Omit<Triggered, 'action'>): boolean {
    const { asked, passed } = challengeActions[challenge];
    const isCleared = this.clearance !== undefined && isAtLeastAsStrong(this.clearance, challenge);
    const by: Triggered = { ...rule, action: isCleared ? passed : asked };
    this.triggered.push(by);
    if (isCleared) return true;
    return this.#decide({ kind: 'challenge', by, challenge });
  }

  #decide(verdict: Exclude<Verdict, { kind: 'pass' }>): boolean {
    this.deciders.push(verdict.by);
    this.verdict ??= verdict;
    return !this.isOver;
  }
}

const challengeActions: Readonly<
  Record<ChallengeKind, { readonly asked: TriggeredAction; readonly passed: TriggeredAction }>
> = {
  challenge: { asked: 'challenge', passed: 'challengebypassed' },
  js_challenge: { asked: 'jschallenge', passed: 'jschallengebypassed' },
  managed_challenge: { asked: 'managed_challenge', passed: 'managedchallengebypassed' },
};
