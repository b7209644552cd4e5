/**
 * Chooses one of the guards of a rule, which depends on the other rules. `http.host eq "example.com"` is a strong guard
 * unless all rules have it, because then every request to that host runs all of them. And searching a text for one rule
 * costs as much as searching it for a thousand.
 */
import type { Pieces } from '#work';
import type { GuardCondition, Guard } from './guard.ts';
import type { Keys } from './keys.ts';

/** The strength that a guard loses for each doubling of the rules with the same condition. */
const strengthPerDoubling = 10;

/** The strength that a guard loses if no other rule needs its operand; half of that if one other rule does. */
const strengthForOwnOperand = 40;

/** Steps for examining a condition. */
const stepsPerCondition = 300;

/** Chooses the best guard of each rule, if it has any. */
export function* chooseGuards(
  alternatives: readonly (readonly Guard[])[],
  keys: Keys,
): Pieces<(Guard | undefined)[]> {
  if (alternatives.every((guards) => guards.length < 2)) return alternatives.map(([only]) => only);
  const rulesByCondition = new Map<string, number>();
  const rulesByOperand = new Map<string, number>();
  for (const guards of alternatives) {
    for (const { conditions } of guards) {
      for (const key of new Set(conditions.map((condition) => toKey(condition, keys))))
        increment(rulesByCondition, key);
      for (const key of new Set(conditions.map(({ operand }) => keys.get(operand))))
        increment(rulesByOperand, key);
      yield conditions.length * stepsPerCondition;
    }
  }
  const getStrength = ({ conditions, strength }: Guard): number => {
    let most = 1;
    let fewest = Infinity;
    for (const condition of conditions) {
      most = Math.max(most, rulesByCondition.get(toKey(condition, keys))!);
      fewest = Math.min(fewest, rulesByOperand.get(keys.get(condition.operand))!);
    }
    return strength - Math.log2(most) * strengthPerDoubling - strengthForOwnOperand / fewest;
  };
  const chosen: (Guard | undefined)[] = [];
  for (const guards of alternatives) {
    const [first, ...others] = guards;
    if (first === undefined || others.length === 0) chosen.push(first);
    else {
      chosen.push(
        others.reduce((best, guard) => (getStrength(guard) > getStrength(best) ? guard : best), first),
      );
      for (const { conditions } of guards) yield conditions.length * stepsPerCondition;
    }
  }
  return chosen;
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function toKey(condition: GuardCondition, keys: Keys): string {
  const operand = keys.get(condition.operand);
  switch (condition.kind) {
    case 'equals':
      return `${operand} = ${condition.value}`;
    case 'block': {
      const { first, prefixLength } = condition.block;
      return `${operand} / ${first.w0} ${first.w1} ${first.w2} ${first.w3} ${prefixLength}`;
    }
    case 'has':
      return `${operand} ~ ${condition.literal}`;
    default:
      return `${operand} [${condition.key}`;
  }
}
