/**
 * The state of one request during judging. A step checks what earlier ones skipped, adds the results of its rules, and
 * may end the run with a verdict.
 */
import { OutOfSteps, type StepBudget } from '#work';
import type { PartName, RequestView, RewrittenUri } from '#expressions';
import type { ChosenSettings } from '#zone-settings';
import {
  type ChallengeKind,
  isAtLeastAsStrong,
  type VerdictAction,
  type BlockResponse,
  type Ruleset,
} from '#rulesets';
import type { Change } from './changes/change.ts';
import { Evidence } from './scores/evidence.ts';
import type {
  ExhaustedRule,
  ResponseRules,
  Source,
  StepReport,
  Triggered,
  TriggeredAction,
  Verdict,
} from './judgement.ts';
import type { ScoringOptions, ScoringProgram, ScoringResult } from './managed-catalogue.ts';
import type { RuleProgram } from './programs/rule-program.ts';
import { noCounter, type RateCounter } from './rates/rate-counter.ts';
import { ReferredPage } from './referred-page.ts';

export interface RunSettings {
  readonly view: RequestView;
  /** The strongest challenge of this zone that the client has solved recently. */
  readonly clearance?: ChallengeKind | undefined;
  /** Settings that rules have chosen for the request, in place of those of the zone. */
  readonly settings?: ChosenSettings | undefined;
  /** Shared by all readings of the request; a separate one by default. */
  readonly budget?: StepBudget;
  /** Counts requests for the rules that limit rates; without it these rules do nothing. */
  readonly rates?: RateCounter | undefined;
  /** Stops after the rules that limit rates. */
  readonly until?: 'rates' | undefined;
}

const nothing: ReadonlySet<string> = new Set();

export interface RunExtent {
  /** A thorough run continues after its verdict, as if the deciding rule did not exist. */
  readonly isThorough?: boolean;
  /** The ids of rules that are skipped. */
  readonly leftOut?: ReadonlySet<string>;
  /** Judges the request for the page in this request's Referer; without it, that page is not judged. */
  readonly judgePage?: (page: RequestView) => JudgingRun;
}

interface NamedRule {
  readonly id: string;
  readonly description?: string | undefined;
}

export interface JudgingStep {
  readonly readsBody: boolean;
  /** Whether it has no rules, and only reports that. */
  readonly isEmpty?: boolean;
  run(run: JudgingRun): void;
}

/** A list of rules in reports. The tools that have no rulesets have only a source. */
type ListName = Pick<StepReport, 'source'> &
  Partial<Pick<StepReport, 'phase' | 'rulesetId' | 'version' | 'level'>>;

/** The request reached all rules of the list, unless the result says otherwise. */
interface ListResult {
  readonly ruleCount: number;
  readonly reached?: number;
  /** The only rule that matched, and decides. */
  readonly ruleId?: string | undefined;
  readonly matched?: readonly string[];
  /** The rule that skips the whole list. */
  readonly skippedBy?: string | undefined;
  readonly decidedBy?: string | undefined;
}

export class JudgingRun {
  /** The request as the following rules see it: rules that rewrite replace it. */
  view: RequestView;
  readonly clearance: ChallengeKind | undefined;
  readonly settings: ChosenSettings | undefined;
  readonly rates: RateCounter;
  readonly triggered: Triggered[] = [];
  readonly changes: Change[] = [];
  /** The path and query before rules rewrote them. */
  received: RewrittenUri | undefined;
  readonly reports: StepReport[] = [];
  /** By name, with the rule that skips the phase. */
  readonly skippedPhases = new Map<string, string>();
  readonly skippedProducts = new Map<string, string>();
  verdict: Verdict | undefined;
  /** An access rule lets the visitor pass regardless of other rules. */
  isAllowed = false;
  exhausted: ExhaustedRule | undefined;
  isBodyGuarded = false;
  readonly responseRules: ResponseRules[] = [];
  /** The managed rules that matched and that no exception covers. */
  readonly found = new Set<string>();
  /** The rules that decide: the first one, and in a thorough run those that would have decided without it. */
  readonly deciders: Triggered[] = [];
  /** Views by their hidden parts. */
  readonly #partial = new Map<string, RequestView>();
  #evidence: Evidence | undefined;
  readonly #isThorough: boolean;
  readonly #leftOut: ReadonlySet<string>;
  readonly #judgePage: RunExtent['judgePage'];
  #page: ReferredPage | false | undefined;

  constructor(
    { view, clearance, settings, rates = noCounter }: RunSettings,
    { isThorough = false, leftOut = nothing, judgePage }: RunExtent = {},
  ) {
    this.view = view;
    this.clearance = clearance;
    this.settings = settings;
    this.rates = rates;
    this.#isThorough = isThorough;
    this.#leftOut = leftOut;
    this.#judgePage = judgePage;
  }

  /** The page in the Referer, for managed rules. */
  get page(): ReferredPage | undefined {
    this.#page ??= (this.#judgePage && ReferredPage.find(this, this.#judgePage)) ?? false;
    return this.#page || undefined;
  }

  /** Likely attacks, and the evidence for them. */
  get evidence(): Evidence {
    return (this.#evidence ??= new Evidence());
  }

  /** Whether the run is decided, so no further rule matters. */
  get isOver(): boolean {
    if (this.exhausted !== undefined || this.isAllowed) return true;
    return this.verdict !== undefined && !this.#isThorough;
  }

  /** The rule that has stopped the request, if any. */
  get decidedBy(): string | undefined {
    return this.verdict === undefined || this.verdict.kind === 'pass' ? undefined : this.verdict.by.ruleId;
  }

  /** The request without the values of some parts; cached, because several rules may need it. */
  leaveOut(parts: readonly PartName[]): RequestView {
    const key = JSON.stringify(parts);
    let view = this.#partial.get(key);
    if (view === undefined) this.#partial.set(key, (view = this.view.leaveOut(parts)));
    return view;
  }

  /** Runs a list of rules until `onMatch` ends it, or until the steps of the request run out in one of its rules. */
  runList(
    { list, rules }: RuleProgram<NamedRule>,
    within: { readonly source: Source; readonly rulesetId: string },
    onMatch: (position: number) => boolean,
  ): void {
    const leftOut = this.#leftOut;
    try {
      if (leftOut.size === 0) list.run(this.view, onMatch);
      else list.run(this.view, onMatch, (position) => leftOut.has(rules[position]!.id));
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      const { id: ruleId, description = '' } = rules[list.ruleReached]!;
      this.exhausted = { ...within, ruleId, description };
    }
  }

  /** Runs scoring rules. If the steps of the request run out in one of them, the run is over. */
  runEngine(
    program: ScoringProgram,
    rules: readonly NamedRule[],
    within: { readonly source: Source; readonly rulesetId: string },
    options?: ScoringOptions,
  ): ScoringResult {
    const result = program.judge(this.view, options);
    const { exhaustedIn } = result;
    if (exhaustedIn !== undefined) this.exhausted = nameExhausted(exhaustedIn, rules, within);
    return result;
  }

  /** Applies the action of a rule that matched. Returns whether its list continues. */
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

  /** Records a change by a rule. A redirect is the verdict. */
  change(change: Change): void {
    this.changes.push(change);
    const { effect, ...by } = change;
    if (effect.kind === 'redirect') this.verdict ??= { ...effect, by };
  }

  report(
    { source, phase = '', rulesetId = '', version = '', level = 'zone' }: ListName,
    {
      ruleCount,
      reached = ruleCount,
      ruleId,
      matched = ruleId === undefined ? [] : [ruleId],
      skippedBy,
      decidedBy = ruleId,
    }: ListResult,
  ): void {
    const { exhausted } = this;
    this.reports.push({
      source,
      phase,
      rulesetId,
      version,
      level,
      reached: skippedBy === undefined ? reached : 0,
      ruleCount,
      matched,
      end:
        skippedBy !== undefined
          ? { kind: 'skipped', by: skippedBy }
          : exhausted !== undefined
            ? { kind: 'out of steps', by: exhausted.ruleId }
            : decidedBy !== undefined
              ? { kind: 'decided', by: decidedBy }
              : { kind: 'complete' },
    });
  }

  /** The result of a list that the rule at a position ended; -1 if none did. */
  resultOf(rules: readonly NamedRule[], endedAt: number): ListResult {
    const { exhausted } = this;
    const ended = { ruleCount: rules.length, decidedBy: rules[endedAt]?.id };
    if (exhausted === undefined) return endedAt === -1 ? ended : { ...ended, reached: endedAt + 1 };
    // The steps ran out in one of these rules, or in a ruleset that one of them executes.
    const reached = rules.findIndex(({ id }) => id === exhausted.ruleId) + 1;
    return { ...ended, reached: reached === 0 ? endedAt + 1 : reached };
  }

  /** Whether the client has solved this challenge, or a stronger one. */
  hasSolved(challenge: ChallengeKind): boolean {
    return this.clearance !== undefined && isAtLeastAsStrong(this.clearance, challenge);
  }

  #challenge(challenge: ChallengeKind, rule: Omit<Triggered, 'action'>): boolean {
    const { asked, passed } = askedChallenges[challenge];
    const isCleared = this.hasSolved(challenge);
    const by: Triggered = { ...rule, action: isCleared ? passed : asked };
    this.triggered.push(by);
    if (isCleared) return true;
    return this.#decide({ kind: 'challenge', by, challenge });
  }

  #decide(verdict: Extract<Verdict, { kind: 'block' | 'challenge' }>): boolean {
    this.deciders.push(verdict.by);
    this.verdict ??= verdict;
    return !this.isOver;
  }
}

/** The rule in which an engine ran out of steps; an empty id if it happened outside of a rule. */
export function nameExhausted(
  ruleId: string,
  rules: readonly NamedRule[],
  within: { readonly source: Source; readonly rulesetId: string },
): ExhaustedRule {
  return { ...within, ruleId, description: rules.find(({ id }) => id === ruleId)?.description ?? '' };
}

/** How reports and events name a ruleset. */
export function nameRuleset<Source extends StepReport['source']>(
  source: Source,
  { id, phase, version, kind }: Ruleset,
): ListName & { readonly source: Source; readonly rulesetId: string } {
  return { source, phase, rulesetId: id, version, level: kind === 'zone' ? 'zone' : 'account' };
}

/** The names in events of an issued challenge, and of one that had been solved before. */
export const askedChallenges: Readonly<
  Record<ChallengeKind, { readonly asked: TriggeredAction; readonly passed: TriggeredAction }>
> = {
  challenge: { asked: 'challenge', passed: 'challengebypassed' },
  js_challenge: { asked: 'jschallenge', passed: 'jschallengebypassed' },
  managed_challenge: { asked: 'managed_challenge', passed: 'managedchallengebypassed' },
};
