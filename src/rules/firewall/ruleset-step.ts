/**
 * The entry point of a phase: rules in order, some of which execute other rulesets or skip them. A skip acts on what
 * comes after it: the rest of its own list, rulesets and rules executed later at its own level, later phases, or
 * products.
 */
import type { Pieces } from '#work';
import {
  type VerdictAction,
  type BlockResponse,
  type EvaluatedRule,
  evaluatedRules,
  type Ruleset,
  type SkipParameters,
  type EvaluatedPhase,
  isEvaluatedPhase,
} from '#rulesets';
import type { Source, Triggered } from './judgement.ts';
import { type Executable, Skips } from './executable.ts';
import { type Compiling, compileRules, type RuleProgram } from './programs/rule-program.ts';
import { RateRules } from './rates/rate-rules.ts';
import { type JudgingRun, type JudgingStep, nameRuleset } from './run.ts';

const sources: Readonly<Record<EvaluatedPhase, Source>> = {
  http_request_firewall_custom: 'firewallCustom',
  http_ratelimit: 'ratelimit',
  http_request_firewall_managed: 'firewallManaged',
};

/** The product of a phase's rules, for events; rules that only change requests also count as the owner's own. */
export function sourceOfPhase(phase: string): Source {
  return isEvaluatedPhase(phase) ? sources[phase] : 'firewallCustom';
}

export interface RulesetParts extends Compiling {
  /** Compiles the target of an execute rule; undefined if the ruleset no longer exists. */
  readonly compileExecutable: (
    rule: Extract<EvaluatedRule, { action: 'execute' }>,
  ) => Pieces<Executable | undefined>;
}

interface RulesetStepParts {
  readonly executables: ReadonlyMap<string, Executable>;
  readonly rates: RateRules | undefined;
}

export class RulesetStep implements JudgingStep {
  readonly readsBody: boolean;
  readonly #ruleset: Ruleset;
  readonly #source: Source;
  readonly #program: RuleProgram<EvaluatedRule>;
  readonly #executables: ReadonlyMap<string, Executable>;
  readonly #rates: RateRules | undefined;

  private constructor(
    ruleset: Ruleset,
    program: RuleProgram<EvaluatedRule>,
    { executables, rates }: RulesetStepParts,
  ) {
    this.#ruleset = ruleset;
    this.#source = sourceOfPhase(ruleset.phase);
    this.#program = program;
    this.#executables = executables;
    this.#rates = rates;
    this.readsBody = program.readsBody || [...executables.values()].some(({ readsBody }) => readsBody);
  }

  get isEmpty(): boolean {
    return this.#program.rules.length === 0;
  }

  static *compile(ruleset: Ruleset, { compileExecutable, ...compiling }: RulesetParts): Pieces<RulesetStep> {
    const rules = evaluatedRules(ruleset).filter(({ enabled }) => enabled);
    const program = yield* compileRules(rules, compiling);
    const executables = new Map<string, Executable>();
    for (const rule of rules) {
      if (rule.action !== 'execute') continue;
      const executable = yield* compileExecutable(rule);
      if (executable !== undefined) executables.set(rule.id, executable);
      else
        compiling.problems.push({
          ruleId: rule.id,
          message: `there is no ruleset ${rule.action_parameters.id}`,
        });
    }
    const rates = yield* RateRules.compile(rules, compiling);
    return new RulesetStep(ruleset, program, { executables, rates });
  }

  run(run: JudgingRun): void {
    const { rules } = this.#program;
    const name = nameRuleset(this.#source, this.#ruleset);
    const { phase } = this.#ruleset;
    const skippedBy =
      run.skippedPhases.get(phase) ??
      (phase === 'http_ratelimit' ? run.skippedProducts.get('rateLimit') : undefined);
    if (skippedBy !== undefined) return run.report(name, { ruleCount: rules.length, skippedBy });
    const skips = new Skips();
    this.#rates?.count(run);
    const matched: string[] = [];
    let decidedAt = -1;
    run.runList(this.#program, name, (position) => {
      matched.push(rules[position]!.id);
      const goesOn = this.#act(run, position, skips);
      if (!goesOn) decidedAt = position;
      return goesOn;
    });
    run.report(name, { ...run.resultOf(rules, decidedAt), matched });
  }

  #act(run: JudgingRun, position: number, skips: Skips): boolean {
    const rule = this.#program.rules[position]!;
    const by: Omit<Triggered, 'action'> = {
      source: this.#source,
      ruleId: rule.id,
      rulesetId: this.#ruleset.id,
      ref: rule.ref,
      description: rule.description ?? '',
      filter: this.#program.getFilter(position),
    };
    switch (rule.action) {
      case 'execute':
        this.#executables.get(rule.id)?.run(run, { source: this.#source, skips });
        return !run.isOver;
      case 'skip':
        if (rule.logging?.enabled !== false) run.triggered.push({ ...by, action: 'skip' });
        return skip(run, rule.id, rule.action_parameters, skips);
      case 'block':
        return this.#actOn(run, 'block', by, rule.action_parameters?.response);
      case 'challenge':
      case 'js_challenge':
      case 'managed_challenge':
      case 'log':
        return this.#actOn(run, rule.action, by);
      default:
        return true;
    }
  }

  /** A rate limit does nothing to requests within it, nor to those of a visitor who has just passed a challenge. */
  #actOn(
    run: JudgingRun,
    action: VerdictAction,
    by: Omit<Triggered, 'action'>,
    response?: BlockResponse,
  ): boolean {
    if (this.#source !== 'ratelimit') return run.act(action, by, response);
    const asked = this.#rates?.ask(run, by.ruleId);
    if (asked === undefined || !asked.reading.isOver) return true;
    const { hit, reading } = asked;
    if (action !== 'block' && action !== 'log' && run.hasSolved(action)) {
      run.rates.reset(hit);
      return true;
    }
    const { count, retryAfterSeconds } = reading;
    return run.act(action, { ...by, rate: { ...hit.limit, count, retryAfterSeconds } }, response);
  }
}

/** Returns whether the list continues. */
function skip(run: JudgingRun, ruleId: string, parameters: SkipParameters, skips: Skips): boolean {
  for (const phase of parameters.phases ?? []) run.skippedPhases.set(phase, ruleId);
  for (const product of parameters.products ?? []) run.skippedProducts.set(product, ruleId);
  skips.add(parameters);
  return parameters.ruleset !== 'current' && parameters.phase !== 'current';
}
