/**
 * The guards of a list of clauses, looked up together: one index for each operand and kind of condition. The cost of an
 * index depends on the operand's value, hardly on the number of clauses.
 */
import { LiteralSet } from '#regex';
import type { Ip } from '#addresses';
import { lowerAscii } from '#text';
import { type Pieces, spendSteps } from '#work';
import type { Operand } from '../../ast.ts';
import type { Value } from '../../values.ts';
import { containsText } from '../charges.ts';
import type { RequestView } from '../request-view.ts';
import type { GuardCondition, Guard } from './guard.ts';
import { IpBlockTable } from './sets/ip-blocks.ts';
import type { Keys } from './keys.ts';

/** Receives the numbers of clauses whose condition holds. */
type AddClauses = (clauses: readonly number[]) => void;

/** Adds the clauses for one value. */
export type LookUp = (value: Value, add: AddClauses) => void;

export interface ListIndex {
  /** The operand's value, or its elements. */
  readonly subject: (request: RequestView) => Value | undefined;
  readonly hasElements: boolean;
  readonly lookUp: LookUp;
  /** Needed only once the run reaches this clause. */
  readonly clauseFirst: number;
}

/** All conditions of one kind on one operand. */
export class IndexBuilder {
  readonly operand: Operand;
  readonly #kind: GuardCondition['kind'];
  readonly #conditions: { readonly condition: GuardCondition; readonly clause: number }[] = [];
  /** Before this clause, the operand's value is not needed. */
  clauseFirst = Infinity;

  constructor(operand: Operand, kind: GuardCondition['kind']) {
    this.operand = operand;
    this.#kind = kind;
  }

  /** The number of conditions. */
  get size(): number {
    return this.#conditions.length;
  }

  /** Clauses must be added in order. */
  push(condition: GuardCondition, clause: number): void {
    this.#conditions.push({ condition, clause });
    this.clauseFirst = Math.min(this.clauseFirst, clause);
  }

  build(): LookUp {
    if (this.#kind === 'equals')
      return lookUpEqual(groupClauses(this.#conditions, (c) => (c.kind === 'equals' ? c.value : undefined)));
    if (this.#kind === 'block') return lookUpBlocks(this.#conditions);
    if (this.#kind === 'key')
      return lookUpKeys(groupClauses(this.#conditions, (c) => (c.kind === 'key' ? c.key : undefined)));
    // One pass for all literals: if some of them ignore case, the others may match too often.
    const ignoreCase = this.#conditions.some(
      ({ condition }) => condition.kind === 'has' && condition.ignoresCase,
    );
    return lookUpLiterals(
      groupClauses(this.#conditions, (c) =>
        c.kind === 'has' ? (ignoreCase ? lowerAscii(c.literal) : c.literal) : undefined,
      ),
      ignoreCase,
    );
  }
}

export interface CollectedGuards {
  /** In the order of the first clause that needs them. */
  readonly builders: readonly IndexBuilder[];
  /** Clauses without a guard. */
  readonly unguarded: readonly number[];
}

/** Steps for collecting a condition and adding it to an index. */
const stepsPerCondition = 200;
const stepsPerIndexed = 500;

/** The conditions of all clauses, grouped by operand and kind. */
export function* collectGuards(
  guards: readonly (Pick<Guard, 'conditions'> | undefined)[],
  keys: Keys,
): Pieces<CollectedGuards> {
  const builders = new Map<string, IndexBuilder>();
  const unguarded: number[] = [];
  for (const [clause, guard] of guards.entries()) {
    if (guard === undefined) unguarded.push(clause);
    for (const condition of guard?.conditions ?? []) {
      const key = `${condition.kind} ${keys.get(condition.operand)}`;
      let builder = builders.get(key);
      if (builder === undefined)
        builders.set(key, (builder = new IndexBuilder(condition.operand, condition.kind)));
      builder.push(condition, clause);
    }
    yield (guard?.conditions.length ?? 0) * stepsPerCondition;
  }
  return { builders: [...builders.values()].toSorted((a, b) => a.clauseFirst - b.clauseFirst), unguarded };
}

/** `subjects` are functions that return the operands of the builders, in the same order. */
export function* buildIndexes(
  builders: readonly IndexBuilder[],
  subjects: readonly ListIndex['subject'][],
): Pieces<readonly ListIndex[]> {
  const indexes: ListIndex[] = [];
  for (const [position, builder] of builders.entries()) {
    const { operand, clauseFirst, size } = builder;
    const hasElements = operand.eachCount > 0;
    indexes.push({ subject: subjects[position]!, hasElements, lookUp: builder.build(), clauseFirst });
    yield size * stepsPerIndexed;
  }
  return indexes;
}

function groupClauses<Key>(
  conditions: readonly { readonly condition: GuardCondition; readonly clause: number }[],
  keyOf: (condition: GuardCondition) => Key | undefined,
): Map<Key, number[]> {
  const clauses = new Map<Key, number[]>();
  for (const { condition, clause } of conditions) {
    const key = keyOf(condition);
    if (key === undefined) continue;
    const others = clauses.get(key);
    if (others === undefined) clauses.set(key, [clause]);
    else if (others.at(-1) !== clause) others.push(clause);
  }
  return clauses;
}

function lookUpEqual(clausesByValue: ReadonlyMap<string | number, readonly number[]>): LookUp {
  return (value, add) => {
    const clauses = clausesByValue.get(value as string | number);
    if (clauses !== undefined) add(clauses);
  };
}

function lookUpKeys(clausesByKey: ReadonlyMap<string, readonly number[]>): LookUp {
  return (value, add) => {
    const map = value as ReadonlyMap<string, Value>;
    if (map.size > clausesByKey.size) {
      for (const [key, clauses] of clausesByKey) if (map.has(key)) add(clauses);
      return;
    }
    for (const key of map.keys()) {
      const clauses = clausesByKey.get(key);
      if (clauses !== undefined) add(clauses);
    }
  };
}

function lookUpBlocks(
  conditions: readonly { readonly condition: GuardCondition; readonly clause: number }[],
): LookUp {
  const table = new IpBlockTable(
    conditions.flatMap(({ condition, clause }) =>
      condition.kind === 'block' ? [{ block: condition.block, number: clause }] : [],
    ),
  );
  return (value, add) => table.forEach(value as Ip, add);
}

/** Up to this many literals are searched one by one. */
const separateLiteralsMax = 2;

/** In longer values literals may overlap too often to report every occurrence. */
const scanBytesMax = 4096;

function lookUpLiterals(
  clausesByLiteral: ReadonlyMap<string, readonly number[]>,
  ignoreCase: boolean,
): LookUp {
  const literals = [...clausesByLiteral.keys()];
  const clauses = [...clausesByLiteral.values()];
  if (!ignoreCase && literals.length <= separateLiteralsMax) {
    return (value, add) => {
      for (const [index, literal] of literals.entries())
        if (containsText(value as string, literal)) add(clauses[index]!);
    };
  }
  const set = new LiteralSet(literals, { ignoreCase });
  const marks = new Uint8Array(literals.length);
  return (value, add) => {
    const text = value as string;
    spendSteps(1 + (text.length >>> 1));
    if (text.length <= scanBytesMax) {
      set.scan(text, (literal) => {
        spendSteps(clauses[literal]!.length);
        add(clauses[literal]!);
      });
    } else if (set.mark(text, marks)) {
      for (let literal = marks.indexOf(1); literal !== -1; literal = marks.indexOf(1, literal + 1))
        add(clauses[literal]!);
      marks.fill(0);
    }
  };
}
