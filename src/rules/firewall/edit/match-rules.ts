/**
 * Which rules of a ruleset the rules are that a client sends in their place. A rule is known by its id, else by its
 * ref, else by what it says: clients send whole lists of rules without either, and mean the rules that are there.
 * Promises:
 * - No rule of the ruleset is given to two of those that were sent.
 * - A rule that was sent with a ref which the ruleset does not have is another rule, whatever it says.
 * - Of rules that say the same, the first that was sent is the first that is there.
 * - Refs stay unique.
 */
import { isObject } from '#base';
import { ruleFields, type RuleDefinition, type RuleDraft, type RulesetRule } from '../model.ts';

/** The rule that a draft stands for, and the ref that it has from now on. */
export interface RuleMatch {
  readonly rule: RulesetRule;
  readonly ref: string;
}

/** One for each draft, in order; nothing for a draft of another rule. */
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

/** Its own; its id if another rule has that now; nothing if another has the id for a ref as well. */
function refFor({ id, ref }: RulesetRule, taken: ReadonlySet<string | undefined>): string | undefined {
  return [ref, id].find((each) => !taken.has(each));
}

const contentFields = ruleFields.filter((field) => field !== 'ref');
const coreFields = ['action', 'expression', 'action_parameters'] as const;

function wholeContent(rule: RuleDefinition): string {
  return textOf(contentFields.map((field) => rule[field]));
}

/** What a rule does to which requests. A client may have switched it off, or described it in other words. */
function coreContent(rule: RuleDefinition): string {
  return textOf(coreFields.map((field) => rule[field]));
}

/** The same for equal values, in whatever order the keys of an object stand. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
