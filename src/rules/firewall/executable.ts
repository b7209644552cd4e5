/** The target of an execute rule: a managed ruleset with its overrides, or a custom ruleset. */
import { bytesOf } from '#text';
import type { PartName } from '#expressions';
import type { SkipParameters } from '#rulesets';
import type { Source } from './judgement.ts';
import type { JudgingRun } from './run.ts';

export interface Executable {
  readonly readsBody: boolean;
  run(run: JudgingRun, within: RulesetExecution): void;
}

export interface RulesetExecution {
  /** The product that events name. */
  readonly source: Source;
  readonly skips: Skips;
}

interface SkippableRule {
  readonly id: string;
  readonly categories: readonly string[];
}

/** A skip rule that hides parts of a request from rules, instead of skipping the rules. */
interface PartException {
  readonly applies: (rulesetId: string, rule: SkippableRule) => boolean;
  readonly parts: readonly PartName[];
}

/** The skips of one level for rulesets that are executed later. */
export class Skips {
  readonly rulesets = new Set<string>();
  readonly #rules = new Map<string, Set<string>>();
  readonly #categories = new Map<string, Set<string>>();
  readonly #exceptions: PartException[] = [];

  add({ rulesets = [], rules = {}, categories = {}, arguments: parts }: SkipParameters): void {
    if (parts !== undefined) {
      const applies: PartException['applies'] = (rulesetId, rule) =>
        rulesets.includes(rulesetId) ||
        rules[rulesetId]?.includes(rule.id) === true ||
        hasAny(categories[rulesetId], rule);
      const named = parts.map(({ kind, name }) => ({ kind, name: bytesOf(name) }));
      this.#exceptions.push({ applies, parts: named });
      return;
    }
    for (const ruleset of rulesets) this.rulesets.add(ruleset);
    for (const [ruleset, ids] of Object.entries(rules)) addAll(this.#rules, ruleset, ids);
    for (const [ruleset, names] of Object.entries(categories)) addAll(this.#categories, ruleset, names);
  }

  hasRule(rulesetId: string, rule: SkippableRule): boolean {
    if (this.#rules.get(rulesetId)?.has(rule.id) === true) return true;
    const categories = this.#categories.get(rulesetId);
    return categories !== undefined && rule.categories.some((category) => categories.has(category));
  }

  /** The parts of a request that are hidden from the rule; none for most rules. */
  listLeftOut(rulesetId: string, rule: SkippableRule): readonly PartName[] {
    return this.#exceptions.flatMap(({ applies, parts }) => (applies(rulesetId, rule) ? parts : []));
  }
}

function addAll(map: Map<string, Set<string>>, key: string, values: readonly string[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set(values));
  else for (const value of values) known.add(value);
}

function hasAny(categories: readonly string[] | undefined, rule: SkippableRule): boolean {
  return categories?.some((category) => rule.categories.includes(category)) === true;
}
