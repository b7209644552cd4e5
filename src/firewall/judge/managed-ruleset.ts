/**
 * A managed ruleset as one execute rule deploys it. Rules that score add up; the rule with a threshold acts once when the sum
 * of those before it has come so far. An override can switch a scoring rule off, not make it act by itself: what it found
 * is only part of a verdict.
 */
import { type EffectiveRule, resolveOverrides } from '../overrides.ts';
import type { Overrides, VerdictAction } from '../model.ts';
import type { Executable, Execution } from './executable.ts';
import type { Contribution, Triggered } from './judgement.ts';
import type { CatalogueRule, CatalogueRuleset } from './managed-catalogue.ts';
import { compileRules, type RuleProblem, type RuleProgram } from './rule-program.ts';
import type { Run } from './run.ts';

export class ManagedRuleset implements Executable {
  readonly readsBody: boolean;
  readonly #ruleset: CatalogueRuleset;
  readonly #effective: ReadonlyMap<string, EffectiveRule>;
  readonly #program: RuleProgram<CatalogueRule>;
  readonly #threshold: CatalogueRule | undefined;

  constructor(ruleset: CatalogueRuleset, overrides: Overrides | undefined, programs: ManagedPrograms) {
    this.#ruleset = ruleset;
    const overridable = ruleset.rules.map((rule) => ({
      ...rule,
      ...(rule.scoreThreshold === undefined ? {} : { score_threshold: rule.scoreThreshold }),
    }));
    this.#effective = resolveOverrides(overridable, overrides);
    const enabled = ruleset.rules.filter(({ id }) => this.#effective.get(id)!.enabled);
    this.#threshold = enabled.find(({ scoreThreshold }) => scoreThreshold !== undefined);
    this.#program = programs.get(
      ruleset,
      enabled.filter((rule) => rule !== this.#threshold),
    );
    this.readsBody = this.#program.readsBody;
  }

  run(run: Run, { source, skips }: Execution): void {
    const { id: rulesetId } = this.#ruleset;
    if (skips.rulesets.has(rulesetId)) return;
    const { rules, filters, list } = this.#program;
    const contributions: Contribution[] = [];
    const matched: string[] = [];
    let reached = rules.length;
    list.run(run.view, (position) => {
      const rule = rules[position]!;
      matched.push(rule.id);
      if (skips.hasRule(rulesetId, rule.id)) return true;
      const filter = filters[position]!;
      const { id: ruleId, ref, description, scoreIncrement } = rule;
      if (scoreIncrement !== undefined) {
        contributions.push({ ruleId, description, score: scoreIncrement, filter });
        return true;
      }
      const by: Omit<Triggered, 'action'> = { source, ruleId, rulesetId, ref, description, filter };
      const goesOn = run.act(this.#effective.get(ruleId)!.action as VerdictAction, by);
      if (!goesOn) reached = position + 1;
      return goesOn;
    });
    if (
      run.verdict === undefined &&
      this.#threshold !== undefined &&
      !skips.hasRule(rulesetId, this.#threshold.id)
    )
      this.#compareScore(run, this.#threshold, contributions, source);
    if (run.wantsReports) this.#report(run, source, { reached, matched });
  }

  #compareScore(
    run: Run,
    rule: CatalogueRule,
    contributions: readonly Contribution[],
    source: Execution['source'],
  ): void {
    const { action, scoreThreshold: threshold = 0 } = this.#effective.get(rule.id)!;
    const total = contributions.reduce((sum, { score }) => sum + score, 0);
    if (total < threshold || contributions.length === 0) return;
    const { id: ruleId, ref, description } = rule;
    const by = { source, ruleId, rulesetId: this.#ruleset.id, ref, description };
    run.act(action as VerdictAction, { ...by, score: { total, threshold, contributions } });
  }

  #report(
    run: Run,
    source: Execution['source'],
    { reached, matched }: { readonly reached: number; readonly matched: readonly string[] },
  ): void {
    const by = run.verdict === undefined || run.verdict.kind === 'pass' ? undefined : run.verdict.by.ruleId;
    run.reports.push({
      source,
      phase: 'http_request_firewall_managed',
      rulesetId: this.#ruleset.id,
      version: this.#ruleset.version,
      level: 'account',
      reached,
      ruleCount: this.#program.rules.length,
      matched,
      end: by === undefined ? { kind: 'complete' } : { kind: 'decided', by },
    });
  }
}

/** Compiled managed rules, shared by all zones that have the same of them enabled: most have the default. */
export class ManagedPrograms {
  readonly #programs = new Map<string, RuleProgram<CatalogueRule>>();

  get(ruleset: CatalogueRuleset, enabled: readonly CatalogueRule[]): RuleProgram<CatalogueRule> {
    const key = [ruleset.id, ruleset.version, ...enabled.map(({ id }) => id)].join(' ');
    let program = this.#programs.get(key);
    if (program === undefined) {
      const problems: RuleProblem[] = [];
      program = compileRules(enabled, {}, problems);
      if (this.#programs.size >= programsMax) this.#programs.delete(this.#programs.keys().next().value!);
      this.#programs.set(key, program);
    }
    return program;
  }
}

/** Zones beyond these still have theirs; it is only compiled again. */
const programsMax = 64;
