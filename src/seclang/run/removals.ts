/** What `ctl` has taken away from the rest of a request: rules, and targets of rules. */
import type { RuleChoice } from '../actions/action.ts';
import type { Rule } from '../model.ts';
import type { Target } from '../read/targets.ts';

export class Removals {
  readonly #rules: RuleChoice[] = [];
  readonly #targets: { readonly choice: RuleChoice; readonly target: Target }[] = [];
  readonly #isRemoved = new Map<Rule, boolean>();

  removeRules(choice: RuleChoice): void {
    this.#rules.push(choice);
    this.#isRemoved.clear();
  }

  removeTarget(choice: RuleChoice, target: Target): void {
    this.#targets.push({ choice, target });
  }

  isRemoved(rule: Rule): boolean {
    if (this.#rules.length === 0) return false;
    const known = this.#isRemoved.get(rule);
    if (known !== undefined) return known;
    const isRemoved = this.#rules.some((choice) => isChosen(choice, rule));
    this.#isRemoved.set(rule, isRemoved);
    return isRemoved;
  }

  targetsRemovedFrom(rule: Rule): readonly Target[] {
    if (this.#targets.length === 0) return [];
    return this.#targets.filter(({ choice }) => isChosen(choice, rule)).map(({ target }) => target);
  }
}

export function isChosen(
  choice: RuleChoice,
  { id, tags, message }: Pick<Rule, 'id' | 'tags' | 'message'>,
): boolean {
  if (choice.by === 'id') return id >= choice.first && id <= choice.last;
  return choice.by === 'tag' ? tags.some((tag) => choice.matches(tag)) : choice.matches(message);
}
