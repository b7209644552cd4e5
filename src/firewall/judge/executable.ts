/** What an execute rule runs: a managed ruleset as its overrides make it, or a custom ruleset. */
import type { Source } from './judgement.ts';
import type { Run } from './run.ts';

export interface Executable {
  readonly readsBody: boolean;
  run(run: Run, within: Execution): void;
}

export interface Execution {
  /** The product that events name. */
  readonly source: Source;
  readonly skips: Skips;
}

/** What skip rules of one level took out of rulesets that are executed after them. */
export class Skips {
  readonly rulesets = new Set<string>();
  readonly #rules = new Map<string, Set<string>>();

  addRules(ruleset: string, rules: readonly string[]): void {
    const skipped = this.#rules.get(ruleset);
    if (skipped === undefined) this.#rules.set(ruleset, new Set(rules));
    else for (const rule of rules) skipped.add(rule);
  }

  hasRule(ruleset: string, rule: string): boolean {
    return this.#rules.get(ruleset)?.has(rule) === true;
  }
}
