/**
 * Which of its guards a rule goes by depends on the other rules: `http.host eq "example.com"` is a strong guard unless
 * all rules have it, because then the host that all of them are about gets all of them run; and a text that is searched
 * for the sake of one rule costs as much as one that is searched for a thousand.
 */
import type { Condition, Guard } from './guard.ts';
import type { Keys } from './keys.ts';

/** What a guard loses when twice as many rules have the same condition. */
const strengthPerDoubling = 10;

/** What a guard loses when no other rule needs the operand it is about, half of it when there is one other. */
const strengthForOwnOperand = 40;

/** For each rule the best of its guards, if it has any. */
export function chooseGuards(alternatives: readonly (readonly Guard[])[], keys: Keys): (Guard | undefined)[] {
  if (alternatives.every((guards) => guards.length < 2)) return alternatives.map(([only]) => only);
  const rulesByCondition = new Map<string, number>();
  const rulesByOperand = new Map<string, number>();
  for (const guards of alternatives) {
    for (const { conditions } of guards) {
      for (const key of new Set(conditions.map((condition) => keyOf(condition, keys))))
        increment(rulesByCondition, key);
      for (const key of new Set(conditions.map(({ operand }) => keys.of(operand))))
        increment(rulesByOperand, key);
    }
  }
  const strengthOf = ({ conditions, strength }: Guard): number => {
    let most = 1;
    let fewest = Infinity;
    for (const condition of conditions) {
      most = Math.max(most, rulesByCondition.get(keyOf(condition, keys))!);
      fewest = Math.min(fewest, rulesByOperand.get(keys.of(condition.operand))!);
    }
    return strength - Math.log2(most) * strengthPerDoubling - strengthForOwnOperand / fewest;
  };
  return alternatives.map((guards) => {
    if (guards.length < 2) return guards[0];
    return guards.reduce((best, guard) => (strengthOf(guard) > strengthOf(best) ? guard : best));
  });
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function keyOf(condition: Condition, keys: Keys): string {
  const operand = keys.of(condition.operand);
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
