/** The differences between two versions of a ruleset. */
import { isDeepStrictEqual } from 'node:util';
import { ruleFields, type Ruleset, type RulesetRule } from '../model.ts';

interface RulesetDiff {
  /** Fields of the ruleset itself. */
  readonly fields: readonly FieldDiff[];
  readonly added: readonly RulesetRule[];
  readonly removed: readonly RulesetRule[];
  readonly changed: readonly RuleDiff[];
  /** As few rules as explain the order; those that only made room for others are not included. */
  readonly moved: readonly RuleMove[];
}

interface FieldDiff {
  readonly field: string;
  /** Absent if the field was absent. */
  readonly before?: unknown;
  readonly after?: unknown;
}

interface RuleDiff {
  readonly id: string;
  readonly fields: readonly FieldDiff[];
}

/** Positions count from 1, each in its own version. */
interface RuleMove {
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

const rulesetFields = ['name', 'description'] as const;

export function diffRulesets(before: Ruleset, after: Ruleset): RulesetDiff {
  const earlier = new Map(before.rules.map((rule) => [rule.id, rule]));
  const changed = after.rules.flatMap((rule) => {
    const fields = diffFields(ruleFields, earlier.get(rule.id) ?? rule, rule);
    return fields.length === 0 ? [] : [{ id: rule.id, fields }];
  });
  return {
    fields: diffFields(rulesetFields, before, after),
    added: vanishedRules(after, before),
    removed: vanishedRules(before, after),
    changed,
    moved: findMoves(before.rules, after.rules),
  };
}

/** The rules that only the earlier version has. */
export function vanishedRules(before: Ruleset, after: Ruleset): readonly RulesetRule[] {
  const ids = new Set(after.rules.map(({ id }) => id));
  return before.rules.filter(({ id }) => !ids.has(id));
}

/** Whether two rules have the same content, regardless of their versions. */
export function isSameRule(a: RulesetRule, b: RulesetRule): boolean {
  return diffFields(ruleFields, a, b).length === 0;
}

function diffFields<K extends string>(
  names: readonly K[],
  before: { readonly [name in K]?: unknown },
  after: { readonly [name in K]?: unknown },
): readonly FieldDiff[] {
  return names
    .filter((field) => !isDeepStrictEqual(before[field], after[field]))
    .map((field) => ({
      field,
      ...(before[field] === undefined ? {} : { before: before[field] }),
      ...(after[field] === undefined ? {} : { after: after[field] }),
    }));
}

function findMoves(before: readonly RulesetRule[], after: readonly RulesetRule[]): readonly RuleMove[] {
  const placesBefore = new Map(before.map(({ id }, index) => [id, index + 1]));
  const common = after.flatMap(({ id }, index) => {
    const from = placesBefore.get(id);
    return from === undefined ? [] : [{ id, from, to: index + 1 }];
  });
  const inOrder = longestRise(common.map(({ from }) => from));
  return common.filter(({ from }) => !inOrder.has(from));
}

/** The longest increasing subsequence of distinct numbers (any one of them, if there are several). */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  /** The smallest number that ends an increasing subsequence of each length, from 1. */
  const ends: number[] = [];
  const predecessors = new Map<number, number | undefined>();
  for (const number of numbers) {
    const found = ends.findIndex((end) => end > number);
    const place = found === -1 ? ends.length : found;
    predecessors.set(number, ends[place - 1]);
    ends[place] = number;
  }
  const rise = new Set<number>();
  for (let number = ends.at(-1); number !== undefined; number = predecessors.get(number)) rise.add(number);
  return rise;
}
