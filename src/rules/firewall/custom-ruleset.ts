/**
 * A custom ruleset that an entry point executes: its rules act like those of the entry point, but may not execute
 * others.
 */
import type { Pieces } from '#work';
import type { Ruleset } from '#rulesets';
import type { Executable, RulesetExecution } from './executable.ts';
import type { Compiling } from './programs/rule-program.ts';
import { RulesetStep } from './ruleset-step.ts';
import type { JudgingRun } from './run.ts';

export class CustomRuleset implements Executable {
  readonly readsBody: boolean;
  readonly #id: string;
  readonly #step: RulesetStep;

  private constructor(id: string, step: RulesetStep) {
    this.#id = id;
    this.#step = step;
    this.readsBody = step.readsBody;
  }

  static *compile(ruleset: Ruleset, compiling: Compiling): Pieces<CustomRuleset> {
    const step = yield* RulesetStep.compile(ruleset, { ...compiling, compileExecutable: executeNothing });
    return new CustomRuleset(ruleset.id, step);
  }

  run(run: JudgingRun, { skips }: RulesetExecution): void {
    if (!skips.rulesets.has(this.#id)) this.#step.run(run);
  }
}

// oxlint-disable-next-line require-yield
function* executeNothing(): Pieces<undefined> {
  return undefined;
}
