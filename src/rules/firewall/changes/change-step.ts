/**
 * The rules of a zone in one phase that changes requests or responses. All of them read the request as the phase
 * received it. A rule that redirects, or replaces an error, ends the list; for other effects the later rule overrides.
 */
import type { Pieces } from '#work';
import { type Ruleset, type RulesetRule, type ChangingPhase, changingPhases } from '#rulesets';
import { type Compiling, compileRules, type RuleProgram } from '../programs/rule-program.ts';
import { sourceOfPhase } from '../ruleset-step.ts';
import { type JudgingRun, nameRuleset } from '../run.ts';
import { compileAct } from './acts.ts';
import type { Act } from './change.ts';

/** Steps of one rule without its expression. */
const stepsPerRule = 20_000;

export class ChangeStep {
  readonly phase: ChangingPhase;
  readonly #ruleset: Ruleset;
  readonly #program: RuleProgram<RulesetRule>;
  readonly #acts: ReadonlyMap<string, Act>;

  private constructor(ruleset: Ruleset, program: RuleProgram<RulesetRule>, acts: ReadonlyMap<string, Act>) {
    this.phase = ruleset.phase as ChangingPhase;
    this.#ruleset = ruleset;
    this.#program = program;
    this.#acts = acts;
  }

  /** Undefined if no rule is enabled. Rules that cannot be compiled are not in force. */
  static *compile(ruleset: Ruleset, compiling: Compiling): Pieces<ChangeStep | undefined> {
    const acts = new Map<string, Act>();
    for (const rule of ruleset.rules) {
      if (!rule.enabled) continue;
      try {
        acts.set(rule.id, compileAct(rule, ruleset.phase as ChangingPhase, compiling.options));
      } catch (error) {
        compiling.problems.push({ ruleId: rule.id, message: (error as Error).message });
      }
      yield stepsPerRule;
    }
    if (acts.size === 0) return undefined;
    const rules = ruleset.rules.filter(({ id }) => acts.has(id));
    return new ChangeStep(ruleset, yield* compileRules(rules, compiling), acts);
  }

  run(run: JudgingRun): void {
    const { rules } = this.#program;
    const name = nameRuleset(changingPhases[this.phase], this.#ruleset);
    const skippedBy = run.skippedPhases.get(this.phase);
    if (skippedBy !== undefined) return run.report(name, { ruleCount: rules.length, skippedBy });
    const { id: rulesetId } = this.#ruleset;
    const matched: string[] = [];
    let decidedAt = -1;
    run.runList(this.#program, { source: sourceOfPhase(this.phase), rulesetId }, (position) => {
      const rule = rules[position]!;
      matched.push(rule.id);
      const effect = this.#acts.get(rule.id)!(run.view);
      run.change({
        source: name.source,
        phase: this.phase,
        ruleId: rule.id,
        rulesetId,
        ref: rule.ref,
        description: rule.description ?? '',
        filter: this.#program.getFilter(position),
        effect,
      });
      const isLast = run.isOver || effect.kind === 'error';
      if (isLast) decidedAt = position;
      return !isLast;
    });
    run.report(name, { ...run.resultOf(rules, decidedAt), matched });
  }
}
