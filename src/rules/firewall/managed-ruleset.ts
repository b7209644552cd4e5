/**
 * A managed ruleset as one execute rule deploys it. Scores of rules add up; the rule with a threshold acts once when
 * the sum of those before it has reached the threshold. An override can switch a scoring rule off, but not make it act
 * by itself: its match is only part of a verdict. Sound ones also support uncertain detectors (`scores/evidence.ts`),
 * and do nothing else where the rule with the threshold is off.
 */
import { lowerAscii } from '#text';
import { compile, type Filter, type RequestView } from '#expressions';
import { type EffectiveRule, resolveOverrides, type VerdictAction, type Overrides } from '#rulesets';
import { type EvidenceSource, isEvidence, sumScores } from './scores/evidence.ts';
import type { Executable, RulesetExecution, Skips } from './executable.ts';
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
import { toKey } from './referred-page.ts';
import { compileExpression, type RequestPredicate } from './request-predicate.ts';
import { nameExhausted, type JudgingRun } from './run.ts';
import type { ScoreVerdict } from './scores/score-verdict.ts';

export interface ManagedDeployment {
  readonly overrides: Overrides | undefined;
  /** Rules that would act only log, whatever overrides say; disabled rules stay disabled. */
  readonly isWatched: boolean;
  /** What happens to a response whose score is too high; absent if responses are not inspected. */
  readonly responseAction?: 'log' | 'block' | undefined;
  readonly scoreVerdict: ScoreVerdict;
}

/** A match of the engine, and whether an exception covers it. */
interface JudgedFinding {
  readonly rule: CatalogueRule;
  readonly values: Finding['values'];
  readonly isExcepted: boolean;
}

export class DeployedManagedRuleset implements Executable {
  readonly readsBody: boolean;
  readonly #ruleset: CatalogueRuleset;
  readonly #effective: ReadonlyMap<string, EffectiveRule>;
  /**
   * Contains all rules, whether or not they are enabled: it is the same for every zone. Undefined if none is enabled.
   */
  readonly #program: RuleProgram<CatalogueRule> | undefined;
  /** In place of the program, if the ruleset has an engine. */
  readonly #scoring: ScoringProgram | undefined;
  /**
   * Set if no rule compares the score: computes only the evidence for detectors, for requests in which one finds a
   * likely attack.
   */
  readonly #evidence: ScoringProgram | undefined;
  readonly #enabled: ReadonlySet<CatalogueRule>;
  readonly #threshold: CatalogueRule | undefined;
  readonly #isWatched: boolean;
  readonly #responseAction: ManagedDeployment['responseAction'];
  readonly #scoreVerdict: ScoreVerdict;
  /** Single rules, for requests that an exception applies to. */
  readonly #predicates = new Map<CatalogueRule, ReturnType<typeof compile>>();
  /** Whether a rule that reads bodies can do more than log. */
  readonly #guardsBody: boolean;

  constructor(
    ruleset: CatalogueRuleset,
    { overrides, isWatched, responseAction, scoreVerdict }: ManagedDeployment,
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
      this.#scoring = engine?.select(toIds([...this.#enabled]));
    const evidence = [...this.#enabled].filter(isEvidence);
    if (evidence.length > 0 && this.#scoring === undefined) this.#evidence = engine?.select(toIds(evidence));
    const bodyReaders = enabled.filter((rule) =>
      engine === undefined ? this.#program?.bodyReaders.has(rule) : this.#scoring?.readsBody,
    );
    this.readsBody = bodyReaders.length > 0;
    this.#guardsBody = bodyReaders.some((rule) => this.#actionOf(this.#decidingRule(rule)) !== 'log');
  }

  run(run: JudgingRun, { source, skips }: RulesetExecution): void {
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
      if (this.#isSkipped(run, skips, rule, { rule, filter })) return true;
      const { id: ruleId, ref, description, scoreIncrement } = rule;
      run.found.add(toKey({ rulesetId, ruleId }));
      if (run.page?.covers({ rulesetId, ruleId }, filter) === true) return true;
      if (scoreIncrement !== undefined) {
        contributions.push({ ruleId, description, score: scoreIncrement, filter });
        return true;
      }
      const by: Omit<Triggered, 'action'> = { source, ruleId, rulesetId, ref, description, filter };
      const goesOn = run.act(this.#actionOf(rule), by) && this.#suspect(run, rule, { by, skips });
      if (!goesOn) last = rule;
      return goesOn;
    };
    if (this.#program !== undefined) {
      run.runList(this.#program, { source, rulesetId }, onMatch);
      this.#judgePage(run, this.#program, { source, skips });
    }
    const scored = this.#scoring && this.#score(run, this.#scoring, { source, skips });
    for (const finding of scored?.judged ?? []) {
      matched.push(finding.rule.id);
      if (finding.isExcepted) continue;
      contributions.push(toContribution(finding));
      run.found.add(toKey({ rulesetId, ruleId: finding.rule.id }));
    }
    this.#offerEvidence(run, scored?.judged, { source, skips });
    if (!run.isOver && this.#threshold !== undefined && !skips.hasRule(rulesetId, this.#threshold))
      this.#compareScore(run, this.#threshold, contributions, source);
    this.#report(run, source, { last, matched });
    const { judgeResponse } = scored ?? {};
    if (!run.isOver && judgeResponse !== undefined)
      run.responseRules.push(this.#createResponseRules(judgeResponse, { source, skips }));
  }

  /** A request whose Referer names a page is stopped if the request for that page would be. */
  #judgePage(
    run: JudgingRun,
    program: RuleProgram<CatalogueRule>,
    { source, skips }: RulesetExecution,
  ): void {
    const { id: rulesetId } = this.#ruleset;
    if (run.isOver || run.page === undefined) return;
    for (const { ruleId, filter } of run.page.listTriggered(program, rulesetId)) {
      const rule = this.#ruleset.rules.find(({ id }) => id === ruleId);
      if (rule === undefined || run.triggered.some((each) => each.ruleId === ruleId)) continue;
      const isExcepted = skips
        .listLeftOut(rulesetId, rule)
        .some(({ kind, name }) => kind === 'header' && lowerAscii(name) === 'referer');
      if (isExcepted || skips.hasRule(rulesetId, rule)) continue;
      const { ref, description } = rule;
      const by = { source, ruleId, rulesetId, ref, description, ...(filter && { filter }) };
      if (!run.act(this.#actionOf(rule), { ...by, isOfPage: true })) return;
    }
    run.exhausted ??= run.page.exhausted;
  }

  /** Whether exceptions skip the rule, or hide everything that it matched. */
  #isSkipped(
    run: JudgingRun,
    skips: Skips,
    rule: CatalogueRule,
    matched: { readonly rule: CatalogueRule; readonly filter: Filter },
  ): boolean {
    if (skips.hasRule(this.#ruleset.id, rule)) return true;
    const leftOut = skips.listLeftOut(this.#ruleset.id, rule);
    if (leftOut.length === 0) return false;
    let matches = this.#predicates.get(matched.rule);
    if (matches === undefined) this.#predicates.set(matched.rule, (matches = compile(matched.filter)));
    return !matches(run.leaveOut(leftOut));
  }

  /** A rule that logs likely attacks has matched: with evidence, the rule for sure attacks acts. */
  #suspect(
    run: JudgingRun,
    rule: CatalogueRule,
    { by, skips }: { readonly by: Omit<Triggered, 'action'>; readonly skips: Skips },
  ): boolean {
    const { filter } = by;
    const sure = rule.sure && this.#ruleset.rules.find(({ id }) => id === rule.sure!.ruleId);
    if (sure === undefined || filter === undefined || !this.#enabled.has(sure)) return true;
    if (!evaluate(rule.sure!.expression, run.view)) return true;
    if (this.#isSkipped(run, skips, sure, { rule, filter })) return true;
    const { id: ruleId, ref, description } = sure;
    const named = { ...by, ruleId, ref, description };
    return run.evidence.suspect(run, { action: this.#actionOf(sure), rule: named, ...rule.sure! });
  }

  #offerEvidence(
    run: JudgingRun,
    judged: readonly JudgedFinding[] | undefined,
    execution: RulesetExecution,
  ): void {
    const program = this.#evidence;
    if ((judged === undefined && program === undefined) || run.isOver) return;
    const list: EvidenceSource['list'] = () =>
      (judged ?? this.#score(run, program!, execution).judged)
        .filter(({ rule, isExcepted }) => !isExcepted && isEvidence(rule))
        .map((finding) => ({ rule: finding.rule, contribution: toContribution(finding) }));
    run.evidence.offer(run, { isWatched: this.#isWatched, list });
  }

  /** The matches of the engine; rules with hidden parts are judged again without those parts. */
  #score(
    run: JudgingRun,
    scoring: ScoringProgram,
    { source, skips }: RulesetExecution,
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
    { source, skips }: RulesetExecution,
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
    run: JudgingRun,
    rule: CatalogueRule,
    found: readonly Contribution[],
    source: RulesetExecution['source'],
  ): void {
    const { scoreThreshold: threshold = 0, action } = this.#effective.get(rule.id)!;
    if (sumScores(found) < threshold || found.length === 0) return;
    const { id: rulesetId } = this.#ruleset;
    const contributions = run.page?.dropCovered(rulesetId, found, this.#scoring) ?? found;
    const total = sumScores(contributions);
    if (total < threshold) return;
    const { id: ruleId, ref, description } = rule;
    const by = { source, ruleId, rulesetId, ref, description };
    const score = { total, threshold, contributions };
    const verdict = { configured: action as VerdictAction, isWatched: this.#isWatched };
    this.#scoreVerdict.give(run, verdict, { ...by, score });
  }

  /** The rule with the threshold decides about matches of scoring rules. */
  #decidingRule(rule: CatalogueRule): CatalogueRule {
    return rule.scoreIncrement === undefined ? rule : (this.#threshold ?? rule);
  }

  #actionOf({ id }: CatalogueRule): VerdictAction {
    return this.#isWatched ? 'log' : (this.#effective.get(id)!.action as VerdictAction);
  }

  #report(
    run: JudgingRun,
    source: RulesetExecution['source'],
    { last, matched }: { readonly last: CatalogueRule | undefined; readonly matched: readonly string[] },
  ): void {
    const { size } = this.#enabled;
    const { exhausted } = run;
    const enabled = [...this.#enabled];
    const reachedLast = exhausted === undefined ? last : enabled.find(({ id }) => id === exhausted.ruleId);
    run.report(
      {
        source,
        phase: 'http_request_firewall_managed',
        rulesetId: this.#ruleset.id,
        version: this.#ruleset.version,
        level: 'account',
      },
      {
        ruleCount: size,
        reached: reachedLast === undefined ? size : enabled.indexOf(reachedLast) + 1,
        matched,
        decidedBy: run.decidedBy,
      },
    );
  }
}

const predicates = new Map<string, RequestPredicate>();

/** For the few expressions of the catalogue that are seldom evaluated. */
function evaluate(expression: string, view: RequestView): boolean {
  let predicate = predicates.get(expression);
  if (predicate === undefined) predicates.set(expression, (predicate = compileExpression(expression)));
  return predicate(view);
}

function toIds(rules: readonly CatalogueRule[]): ReadonlySet<string> {
  return new Set(rules.map(({ id }) => id));
}

function toContribution({ rule, values }: Pick<JudgedFinding, 'rule' | 'values'>): Contribution {
  return { ruleId: rule.id, description: rule.description, score: rule.scoreIncrement ?? 0, values };
}
