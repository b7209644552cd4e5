/**
 * Matches the rules that a client sends to the rules of the ruleset that they replace. A rule is matched by its id,
 * else by its ref, else by its content: clients send whole lists of rules without either, and mean the existing rules.
 * Guarantees:
 * - No rule of the ruleset is matched to two sent rules.
 * - A sent rule with a ref that the ruleset does not contain is a new rule, whatever its content.
 * - Of rules with equal content, the first sent rule is matched to the first existing one.
 * - Refs stay unique.
 */
import { isObject } from '#base';
import { ruleFields, type RuleDefinition, type RuleDraft, type RulesetRule } from '../model.ts';

/** The rule that a draft is matched to, and its ref from now on. */
export interface RuleMatch {
  readonly rule: RulesetRule;
  readonly ref: string;
}

/** One entry per draft, in order; undefined for a draft of a new rule. */
export function matchRules(
  rules: readonly RulesetRule[],
  drafts: readonly RuleDraft[],
): readonly (RuleMatch | undefined)[] {
  const unclaimed = new Map(rules.map((rule) => [rule.id, rule]));
  const matches: (RuleMatch | undefined)[] = drafts.map(() => undefined);
  const claim = (index: number, match: RuleMatch): void => {
    unclaimed.delete(match.rule.id);
    matches[index] = match;
  };
  for (const [index, { id, ref }] of drafts.entries()) {
    const rule = id === undefined ? undefined : unclaimed.get(id);
    if (rule !== undefined) claim(index, { rule, ref: ref ?? rule.id });
  }
  const byRef = new Map([...unclaimed.values()].map((rule) => [rule.ref, rule]));
  for (const [index, { ref }] of drafts.entries()) {
    const rule = matches[index] !== undefined || ref === undefined ? undefined : byRef.get(ref);
    if (rule !== undefined) claim(index, { rule, ref: rule.ref });
  }
  const refsTaken = new Set(drafts.map(({ ref }, index) => matches[index]?.ref ?? ref));
  for (const keyOf of [wholeContent, coreContent]) {
    const queues = Map.groupBy(unclaimed.values(), keyOf);
    for (const [index, draft] of drafts.entries()) {
      if (matches[index] !== undefined || draft.ref !== undefined) continue;
      const queue = queues.get(keyOf(draft)) ?? [];
      const rule = queue.find((each) => refFor(each, refsTaken) !== undefined);
      if (rule === undefined) continue;
      queue.splice(queue.indexOf(rule), 1);
      const ref = refFor(rule, refsTaken)!;
      refsTaken.add(ref);
      claim(index, { rule, ref });
    }
  }
  return matches;
}

/** Its own ref; its id if another rule has that ref now; undefined if another rule has the id as a ref as well. */
function refFor({ id, ref }: RulesetRule, taken: ReadonlySet<string | undefined>): string | undefined {
  return [ref, id].find((each) => !taken.has(each));
}

const contentFields = ruleFields.filter((field) => field !== 'ref');
const coreFields = ['action', 'expression', 'action_parameters'] as const;

function wholeContent(rule: RuleDefinition): string {
  return textOf(contentFields.map((field) => rule[field]));
}

/** The action and the expression of a rule. A client may have switched it off, or changed its description. */
function coreContent(rule: RuleDefinition): string {
  return textOf(coreFields.map((field) => rule[field]));
}

/** The same text for equal values, whatever the order of the keys in an object. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
