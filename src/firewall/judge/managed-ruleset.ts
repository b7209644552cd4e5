/**
 * A managed ruleset as one execute rule deploys it. Rules that score add up; the rule with a threshold acts once when
 * the sum of those before it has come so far. An override can switch a scoring rule off, not make it act by itself:
 * what it found is only part of a verdict.
 */
import { compile, type Filter, type RequestView } from '#expressions';
import { type EffectiveRule, resolveOverrides } from '../overrides.ts';
import type { VerdictAction } from '../actions.ts';
import type { Overrides } from '../model.ts';
import type { Executable, Execution, Skips } from './executable.ts';
import type { Contribution, ResponseRules, Triggered } from './judgement.ts';
import type {
  CatalogueRule,
  CatalogueRuleset,
  Finding,
  ScoringProgram,
  ScoringResult,
} from './managed-catalogue.ts';
import type { ManagedPrograms } from './programs/managed-programs.ts';
import type { RuleProgram } from './programs/rule-program.ts';
import { nameExhausted, type Run } from './run.ts';
import type { ScoreVerdict } from './score-verdict.ts';

export interface Deployment {
  readonly overrides: Overrides | undefined;
  /** Rules that would act only log, whatever overrides say of them; what is disabled stays disabled. */
  readonly isWatched: boolean;
  /** What becomes of a response whose score is too high; absent if responses are not looked at. */
  readonly responseAction?: 'log' | 'block' | undefined;
  readonly scoreVerdict: ScoreVerdict;
}

/** What the engine has found by a rule, and whether an exception covers it. */
interface JudgedFinding {
  readonly rule: CatalogueRule;
  readonly values: Finding['values'];
  readonly isExcepted: boolean;
}

export class ManagedRuleset implements Executable {
  readonly readsBody: boolean;
  readonly #ruleset: CatalogueRuleset;
  readonly #effective: ReadonlyMap<string, EffectiveRule>;
  /** Of all rules, whether enabled or not: it is the same for every zone. Undefined if none is enabled. */
  readonly #program: RuleProgram<CatalogueRule> | undefined;
  /** Instead of the program, where the ruleset has an engine. */
  readonly #scoring: ScoringProgram | undefined;
  readonly #enabled: ReadonlySet<CatalogueRule>;
  readonly #threshold: CatalogueRule | undefined;
  readonly #isWatched: boolean;
  readonly #responseAction: Deployment['responseAction'];
  readonly #scoreVerdict: ScoreVerdict;
  /** Of single rules, for requests that an exception is about. */
  readonly #predicates = new Map<CatalogueRule, ReturnType<typeof compile>>();
  /** Whether a rule that looks at bodies can do more than log. */
  readonly #guardsBody: boolean;

  constructor(
    ruleset: CatalogueRuleset,
    { overrides, isWatched, responseAction, scoreVerdict }: Deployment,
    programs: ManagedPrograms,
  ) {
    this.#ruleset = ruleset;
    this.#isWatched = isWatched;
    this.#responseAction = responseAction;
    this.#scoreVerdict = scoreVerdict;
    const overridable = ruleset.rules.map((rule) => ({
      ...rule,
      ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
    }));
    this.#effective = resolveOverrides(overridable, overrides);
    const enabled = ruleset.rules.filter(({ id }) => this.#effective.get(id)!.enabled);
    this.#threshold = enabled.find(({ scoreThreshold }) => scoreThreshold !== undefined);
    this.#enabled = new Set(enabled.filter((rule) => rule !== this.#threshold));
    const { engine } = ruleset;
    if (this.#enabled.size > 0 && engine === undefined) this.#program = programs.get(ruleset.rules);
    // A score that no rule compares is not computed.
    if (this.#enabled.size > 0 && this.#threshold !== undefined)
      this.#scoring = engine?.select(new Set([...this.#enabled].map(({ id }) => id)));
    const bodyReaders = enabled.filter((rule) =>
      engine === undefined ? this.#program?.bodyReaders.has(rule) : this.#scoring?.readsBody,
    );
    this.readsBody = bodyReaders.length > 0;
    this.#guardsBody = bodyReaders.some((rule) => this.#actionOf(this.#decidingRule(rule)) !== 'log');
  }

  run(run: Run, { source, skips }: Execution): void {
    const { id: rulesetId } = this.#ruleset;
    if (skips.rulesets.has(rulesetId)) return;
    if (this.#guardsBody) run.isBodyGuarded = true;
    const contributions: Contribution[] = [];
    const matched: string[] = [];
    let last: CatalogueRule | undefined;
    const onMatch = (position: number): boolean => {
      const { rules, getFilter } = this.#program!;
      const rule = rules[position]!;
      if (!this.#enabled.has(rule)) return true;
      matched.push(rule.id);
      const filter = getFilter(position);
      if (skips.hasRule(rulesetId, rule) || this.#isExcepted(run, skips, rule, filter)) return true;
      const { id: ruleId, ref, description, scoreIncrement } = rule;
      if (scoreIncrement !== undefined) {
        contributions.push({ ruleId, description, score: scoreIncrement, filter });
        return true;
      }
      const by: Omit<Triggered, 'action'> = { source, ruleId, rulesetId, ref, description, filter };
      const goesOn = run.act(this.#actionOf(rule), by);
      if (!goesOn) last = rule;
      return goesOn;
    };
    if (this.#program !== undefined) run.runList(this.#program, { source, rulesetId }, onMatch);
    const scored = this.#scoring && this.#score(run, this.#scoring, { source, skips });
    for (const finding of scored?.judged ?? []) {
      matched.push(finding.rule.id);
      if (!finding.isExcepted) contributions.push(toContribution(finding));
    }
    if (!run.isOver && this.#threshold !== undefined && !skips.hasRule(rulesetId, this.#threshold))
      this.#compareScore(run, this.#threshold, contributions, source);
    this.#report(run, source, { last, matched });
    const { judgeResponse } = scored ?? {};
    if (!run.isOver && judgeResponse !== undefined)
      run.responseRules.push(this.#createResponseRules(judgeResponse, { source, skips }));
  }

  /** Whether the rule matches only because of parts of the request that it should not see. */
  #isExcepted(run: Run, skips: Skips, rule: CatalogueRule, filter: Filter): boolean {
    const leftOut = skips.listLeftOut(this.#ruleset.id, rule);
    if (leftOut.length === 0) return false;
    let matches = this.#predicates.get(rule);
    if (matches === undefined) this.#predicates.set(rule, (matches = compile(filter)));
    return !matches(run.leaveOut(leftOut));
  }

  /** What the engine finds; a rule that does not see some parts of the request is asked again without them. */
  #score(
    run: Run,
    scoring: ScoringProgram,
    { source, skips }: Execution,
  ): Pick<ScoringResult, 'judgeResponse'> & { readonly judged: readonly JudgedFinding[] } {
    const { id: rulesetId, rules } = this.#ruleset;
    const without = new Map<RequestView, ReadonlySet<string>>();
    const isResponseAwaited = this.#responseAction !== undefined;
    const within = { source, rulesetId };
    const { findings, judgeResponse } = run.runEngine(scoring, rules, within, { isResponseAwaited });
    const judged = findings.map((finding) => {
      const rule = rules.find(({ id }) => id === finding.ruleId)!;
      const { values } = finding;
      if (skips.hasRule(rulesetId, rule)) return { rule, values, isExcepted: true };
      const leftOut = skips.listLeftOut(rulesetId, rule);
      if (leftOut.length === 0) return { rule, values, isExcepted: false };
      const view = run.leaveOut(leftOut);
      let found = without.get(view);
      if (found === undefined) {
        found = new Set(scoring.judge(view).findings.map(({ ruleId }) => ruleId));
        without.set(view, found);
      }
      return { rule, values, isExcepted: !found.has(rule.id) };
    });
    return { judged, ...(judgeResponse === undefined ? {} : { judgeResponse }) };
  }

  /** Exceptions for single arguments do not apply: a response has none. */
  #createResponseRules(
    judgeResponse: NonNullable<ScoringResult['judgeResponse']>,
    { source, skips }: Execution,
  ): ResponseRules {
    const { id: rulesetId, rules, responseRule } = this.#ruleset;
    return (response) => {
      const { findings, threshold, exhaustedIn } = judgeResponse(response);
      if (exhaustedIn !== undefined)
        return { exhausted: nameExhausted(exhaustedIn, rules, { source, rulesetId }) };
      const contributions = findings.flatMap(({ ruleId, values }) => {
        const rule = rules.find(({ id }) => id === ruleId)!;
        return skips.hasRule(rulesetId, rule) ? [] : [toContribution({ rule, values })];
      });
      const total = sumScores(contributions);
      if (responseRule === undefined || contributions.length === 0 || total < threshold) return {};
      const { id: ruleId, description } = responseRule;
      const action = this.#isWatched ? 'log' : (this.#responseAction ?? 'log');
      const by = { source, action, ruleId, rulesetId, ref: ruleId, description };
      return { triggered: { ...by, score: { total, threshold, contributions } } };
    };
  }

  #compareScore(
    run: Run,
    rule: CatalogueRule,
    contributions: readonly Contribution[],
    source: Execution['source'],
  ): void {
    const { scoreThreshold: threshold = 0, action } = this.#effective.get(rule.id)!;
    const total = sumScores(contributions);
    if (total < threshold || contributions.length === 0) return;
    const { id: ruleId, ref, description } = rule;
    const by = { source, ruleId, rulesetId: this.#ruleset.id, ref, description };
    const score = { total, threshold, contributions };
    const verdict = { configured: action as VerdictAction, isWatched: this.#isWatched };
    this.#scoreVerdict.give(run, verdict, { ...by, score });
  }

  /** What a rule that scores has found is decided by the one with the threshold. */
  #decidingRule(rule: CatalogueRule): CatalogueRule {
    return rule.scoreIncrement === undefined ? rule : (this.#threshold ?? rule);
  }

  #actionOf({ id }: CatalogueRule): VerdictAction {
    return this.#isWatched ? 'log' : (this.#effective.get(id)!.action as VerdictAction);
  }

  #report(
    run: Run,
    source: Execution['source'],
    { last, matched }: { readonly last: CatalogueRule | undefined; readonly matched: readonly string[] },
  ): void {
    const by = run.verdict === undefined || run.verdict.kind === 'pass' ? undefined : run.verdict.by.ruleId;
    const { size } = this.#enabled;
    const { exhausted } = run;
    const reachedLast =
      exhausted === undefined ? last : [...this.#enabled].find(({ id }) => id === exhausted.ruleId);
    run.reports.push({
      source,
      phase: 'http_request_firewall_managed',
      rulesetId: this.#ruleset.id,
      version: this.#ruleset.version,
      level: 'account',
      reached: reachedLast === undefined ? size : [...this.#enabled].indexOf(reachedLast) + 1,
      ruleCount: size,
      matched,
      end:
        exhausted !== undefined
          ? { kind: 'out of steps', by: exhausted.ruleId }
          : by === undefined
            ? { kind: 'complete' }
            : { kind: 'decided', by },
    });
  }
}

function sumScores(contributions: readonly Contribution[]): number {
  return contributions.reduce((sum, { score }) => sum + score, 0);
}

function toContribution({ rule, values }: Pick<JudgedFinding, 'rule' | 'values'>): Contribution {
  return { ruleId: rule.id, description: rule.description, score: rule.scoreIncrement ?? 0, values };
}
