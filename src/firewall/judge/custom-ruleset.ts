/**
 * A custom ruleset that an entry point executes: its rules act as those of the entry point do, and may not execute
 * others.
 */
import type { RunOptions } from '#expressions';
import type { Ruleset } from '../model.ts';
import type { Executable, Execution } from './executable.ts';
import type { RuleProblem } from './programs/rule-program.ts';
import { RulesetStep } from './ruleset-step.ts';
import type { Run } from './run.ts';

export class CustomRuleset implements Executable {
  readonly readsBody: boolean;
  readonly #id: string;
  readonly #step: RulesetStep;

  constructor(ruleset: Ruleset, options: RunOptions, problems: RuleProblem[]) {
    this.#id = ruleset.id;
    this.#step = new RulesetStep(ruleset, { options, problems, executableOf: () => undefined });
    this.readsBody = this.#step.readsBody;
  }

  run(run: Run, { skips }: Execution): void {
    if (!skips.rulesets.has(this.#id)) this.#step.run(run);
  }
}
