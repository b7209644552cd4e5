/**
 * The analysis of a list of rules by `compileList`, as plain data: how rules are split into clauses, and the guard of
 * each clause. With it, a list can be loaded without parsing its rules: a rule is parsed and compiled when its guard
 * first holds.
 *
 * A summary is only valid for the exact rules it was created from. Its holder must ensure that, and must recreate it
 * when this room computes other guards.
 */
import { assert } from '#base';
import { runAtOnce, runUncharged } from '#work';
import type { Filter, Operand } from '../ast.ts';
import { parseOperand, type ParseOptions } from '../parse/parse.ts';
import { guardClauses, splitIntoClauses } from './compile/clauses.ts';
import { CompiledList } from './compile/compiled-list.ts';
import { Generator } from './compile/generator.ts';
import type { GuardCondition, Guard } from './compile/guard.ts';
import { Keys } from './compile/keys.ts';
import { buildIndexes, collectGuards } from './compile/rule-index.ts';
import type { RequestView } from './request-view.ts';

export interface ListSummary {
  readonly ruleCount: number;
  /** The operands of guards, in the rules language. */
  readonly operands: readonly string[];
  readonly clauses: readonly ClauseSummary[];
}

/** The position of its rule, and its guard; null for none. */
type ClauseSummary = readonly [rule: number, guard: readonly ConditionsSummary[] | null];

/**
 * Conditions of one kind on the operand at a position: its value, a literal in it, or a key of it is one of these.
 */
type ConditionsSummary = readonly [
  operand: number,
  kind: 'equals' | 'has' | 'has in any case' | 'key',
  values: readonly (string | number)[],
];

export function summarizeList(filters: readonly Filter[]): ListSummary {
  const operands: string[] = [];
  const numberOperand = (condition: GuardCondition, source: string): number => {
    const text = writeOperand(condition, source);
    const known = operands.indexOf(text);
    return known === -1 ? operands.push(text) - 1 : known;
  };
  const { clauses, guards } = runAtOnce(guardClauses(filters, new Keys()));
  return {
    ruleCount: filters.length,
    clauses: clauses.map(({ rule }, clause): ClauseSummary => {
      const { source } = filters[rule]!;
      return [
        rule,
        guards[clause] === undefined ? null : summarizeGuard(guards[clause], source, numberOperand),
      ];
    }),
    operands,
  };
}

function summarizeGuard(
  { conditions }: Guard,
  source: string,
  numberOperand: (condition: GuardCondition, source: string) => number,
): readonly ConditionsSummary[] {
  const groups = new Map<string, [number, ConditionsSummary[1], (string | number)[]]>();
  for (const condition of conditions) {
    const operand = numberOperand(condition, source);
    const [kind, value] = summarizeCondition(condition);
    const group = groups.get(`${operand} ${kind}`);
    if (group === undefined) groups.set(`${operand} ${kind}`, [operand, kind, [value]]);
    else group[2].push(value);
  }
  return [...groups.values()];
}

/** As the rule spells it; a condition on keys is about the whole map. */
function writeOperand({ kind, operand: { root, span } }: GuardCondition, source: string): string {
  return kind === 'key' ? source.slice(root.span.start, root.span.end) : source.slice(span.start, span.end);
}

function summarizeCondition(condition: GuardCondition): readonly [ConditionsSummary[1], string | number] {
  switch (condition.kind) {
    case 'equals':
      return ['equals', condition.value];
    case 'has':
      return [condition.ignoresCase ? 'has in any case' : 'has', condition.literal];
    case 'key':
      return ['key', condition.key];
    case 'block':
      throw new TypeError('cannot summary a list whose rules compare addresses');
  }
}

export interface SummarizedRules extends ParseOptions {
  /** Parses a rule; called at most once for each. */
  readonly getFilter: (rule: number) => Filter;
}

/** The list that `compileList` creates from the rules, except for the time at which they are compiled. */
export function loadList(
  summary: ListSummary,
  { getFilter, ...parseOptions }: SummarizedRules,
): CompiledList {
  const operands = summary.operands.map((source): Operand => {
    const parsed = parseOperand(source, parseOptions);
    assert(parsed.ok, `the operand ${source} of a summary can be read`);
    return parsed.tree;
  });
  const keys = new Keys();
  const guards = summary.clauses.map(
    ([, guard]) => guard && { conditions: guard.flatMap((each) => loadConditions(each, operands)) },
  );
  const { builders, unguarded } = runAtOnce(
    collectGuards(
      guards.map((guard) => guard ?? undefined),
      keys,
    ),
  );
  const shared = new Generator({}, { keys });
  // Counted twice, so that their values are cached: the clauses read them as well.
  for (const { operand } of [...builders, ...builders]) shared.count(operand);
  const { begin, functions } = shared.build(builders.map(({ operand }) => shared.defineSubject(operand)));
  const given = new Map(
    builders.flatMap(({ operand }, position) =>
      operand.eachCount > 0 ? [] : [[keys.get(operand), functions[position]!] as const],
    ),
  );
  const predicates: ((request: RequestView) => boolean)[] = [];
  for (const [clause, [rule]] of summary.clauses.entries()) {
    predicates.push((request) => {
      const first = summary.clauses.findIndex(([other]) => other === rule);
      const ofRule = runUncharged(() => compileRule(getFilter(rule), { keys, given }));
      for (const [index, compiled] of ofRule.entries()) predicates[first + index] = compiled;
      return predicates[clause]!(request);
    });
  }
  return new CompiledList({
    begin,
    ruleCount: summary.ruleCount,
    predicates,
    ruleOfClause: Int32Array.from(summary.clauses, ([rule]) => rule),
    indexes: runAtOnce(buildIndexes(builders, functions)),
    unguarded,
  });
}

function loadConditions(
  [position, kind, values]: ConditionsSummary,
  operands: readonly Operand[],
): GuardCondition[] {
  const operand = operands[position]!;
  return values.map((value): GuardCondition => {
    if (kind === 'equals') return { operand, kind, value };
    if (kind === 'key') return { operand, kind, key: String(value) };
    return { operand, kind: 'has', literal: String(value), ignoresCase: kind === 'has in any case' };
  });
}

/** The predicates of the clauses of one rule. */
function compileRule(
  { root }: Filter,
  parts: ConstructorParameters<typeof Generator>[1] & object,
): readonly ((request: RequestView) => boolean)[] {
  const generator = new Generator({}, parts);
  const clauses = splitIntoClauses(root);
  for (const clause of clauses) generator.count(clause);
  const { begin, functions } = generator.build(clauses.map((clause) => generator.definePredicate(clause)));
  if (!generator.keepsValues) return functions;
  return functions.map((run) => (request) => {
    begin();
    return run(request);
  });
}
