/** The rules, and targets of rules, that `ctl` has removed for the rest of a request. */
import { isChosen, type RuleChoice } from '../actions/rule-choice.ts';
import type { Rule } from '../model.ts';
import type { VariableTarget } from '../read/targets.ts';

export class Removals {
  readonly #rules: RuleChoice[] = [];
  readonly #targets: { readonly choice: RuleChoice; readonly target: VariableTarget }[] = [];
  /** A cache; most requests have nothing removed. */
  #isRemoved: Map<Rule, boolean> | undefined;

  removeRules(choice: RuleChoice): void {
    this.#rules.push(choice);
    this.#isRemoved = new Map();
  }

  removeTarget(choice: RuleChoice, target: VariableTarget): void {
    this.#targets.push({ choice, target });
  }

  isRemoved(rule: Rule): boolean {
    if (this.#rules.length === 0) return false;
    const known = this.#isRemoved?.get(rule);
    if (known !== undefined) return known;
    const isRemoved = this.#rules.some((choice) => isChosen(choice, rule));
    this.#isRemoved?.set(rule, isRemoved);
    return isRemoved;
  }

  targetsRemovedFrom(rule: Rule): readonly VariableTarget[] {
    if (this.#targets.length === 0) return [];
    return this.#targets.filter(({ choice }) => isChosen(choice, rule)).map(({ target }) => target);
  }
}
