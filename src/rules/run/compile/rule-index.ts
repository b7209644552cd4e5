/**
 * The guards of a list of rules, looked up together: one index for each operand and kind of condition. What an index
 * costs depends on the operand's value, hardly on the number of rules.
 */
import { LiteralSet } from '#regex';
import { lowerAscii } from '../../ascii.ts';
import type { Operand } from '../../ast.ts';
import type { Ip, Value } from '../../values.ts';
import type { Condition } from './guard.ts';
import { IpBlockTable } from './ip-blocks.ts';

/** What is done with the numbers of rules whose condition holds. */
type AddRules = (rules: readonly number[]) => void;

/** Adds the rules for one value. */
export type LookUp = (value: Value, add: AddRules) => void;

/** All conditions of one kind about one operand. */
export class IndexBuilder {
  readonly operand: Operand;
  readonly #kind: Condition['kind'];
  readonly #conditions: { readonly condition: Condition; readonly rule: number }[] = [];
  /** Until this rule, the operand's value is not needed. */
  ruleFirst = Infinity;

  constructor(operand: Operand, kind: Condition['kind']) {
    this.operand = operand;
    this.#kind = kind;
  }

  /** Rules come in order. */
  push(condition: Condition, rule: number): void {
    this.#conditions.push({ condition, rule });
    this.ruleFirst = Math.min(this.ruleFirst, rule);
  }

  build(): LookUp {
    if (this.#kind === 'equals')
      return lookUpEqual(grouped(this.#conditions, (c) => (c.kind === 'equals' ? c.value : undefined)));
    if (this.#kind === 'block') return lookUpBlocks(this.#conditions);
    if (this.#kind === 'key')
      return lookUpKeys(grouped(this.#conditions, (c) => (c.kind === 'key' ? c.key : undefined)));
    // One pass for all literals: with those that ignore case, the others may find too much.
    const ignoreCase = this.#conditions.some(
      ({ condition }) => condition.kind === 'has' && condition.ignoresCase,
    );
    return lookUpLiterals(
      grouped(this.#conditions, (c) =>
        c.kind === 'has' ? (ignoreCase ? lowerAscii(c.literal) : c.literal) : undefined,
      ),
      ignoreCase,
    );
  }
}

function grouped<Key>(
  conditions: readonly { readonly condition: Condition; readonly rule: number }[],
  keyOf: (condition: Condition) => Key | undefined,
): Map<Key, number[]> {
  const rules = new Map<Key, number[]>();
  for (const { condition, rule } of conditions) {
    const key = keyOf(condition);
    if (key === undefined) continue;
    const others = rules.get(key);
    if (others === undefined) rules.set(key, [rule]);
    else if (others.at(-1) !== rule) others.push(rule);
  }
  return rules;
}

function lookUpEqual(rulesByValue: ReadonlyMap<string | number, readonly number[]>): LookUp {
  return (value, add) => {
    const rules = rulesByValue.get(value as string | number);
    if (rules !== undefined) add(rules);
  };
}

function lookUpKeys(rulesByKey: ReadonlyMap<string, readonly number[]>): LookUp {
  return (value, add) => {
    const map = value as ReadonlyMap<string, Value>;
    if (map.size > rulesByKey.size) {
      for (const [key, rules] of rulesByKey) if (map.has(key)) add(rules);
      return;
    }
    for (const key of map.keys()) {
      const rules = rulesByKey.get(key);
      if (rules !== undefined) add(rules);
    }
  };
}

function lookUpBlocks(
  conditions: readonly { readonly condition: Condition; readonly rule: number }[],
): LookUp {
  const table = new IpBlockTable(
    conditions.flatMap(({ condition, rule }) =>
      condition.kind === 'block' ? [{ block: condition.block, number: rule }] : [],
    ),
  );
  return (value, add) => table.forEach(value as Ip, add);
}

/** Up to so many literals are searched one by one. */
const separateLiteralsMax = 2;

/** In longer values literals may overlap too often to be told of every occurrence. */
const scanBytesMax = 4096;

function lookUpLiterals(rulesByLiteral: ReadonlyMap<string, readonly number[]>, ignoreCase: boolean): LookUp {
  const literals = [...rulesByLiteral.keys()];
  const rules = [...rulesByLiteral.values()];
  if (!ignoreCase && literals.length <= separateLiteralsMax) {
    return (value, add) => {
      for (const [index, literal] of literals.entries())
        if ((value as string).includes(literal)) add(rules[index]!);
    };
  }
  const set = new LiteralSet(literals, { ignoreCase });
  const marks = new Uint8Array(literals.length);
  return (value, add) => {
    const text = value as string;
    if (text.length <= scanBytesMax) {
      set.scan(text, (literal) => add(rules[literal]!));
    } else if (set.mark(text, marks)) {
      for (let literal = marks.indexOf(1); literal !== -1; literal = marks.indexOf(1, literal + 1))
        add(rules[literal]!);
      marks.fill(0);
    }
  };
}
