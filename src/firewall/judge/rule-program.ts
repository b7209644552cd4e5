/** Rules of any kind with an expression each, compiled as one list. */
import { compileList, type CompiledList, type Filter, parse, type RunOptions, usesOf } from '#expressions';
import { accountScheme } from '../expression.ts';

export interface RuleProgram<Rule> {
  readonly rules: readonly Rule[];
  readonly filters: readonly Filter[];
  readonly list: CompiledList;
  readonly readsBody: boolean;
  /** Those that look at bodies. */
  readonly bodyReaders: ReadonlySet<Rule>;
}

/** What could not be compiled, and so is not in force. It was checked when it was written: a list may have gone since. */
export interface RuleProblem {
  readonly ruleId: string;
  readonly message: string;
}

export function compileRules<Rule extends { readonly id: string; readonly expression: string }>(
  given: readonly Rule[],
  options: RunOptions,
  problems: RuleProblem[],
): RuleProgram<Rule> {
  const rules: Rule[] = [];
  const filters: Filter[] = [];
  for (const rule of given) {
    const parsed = parse(rule.expression, { scheme: accountScheme });
    if (parsed.ok) {
      rules.push(rule);
      filters.push(parsed.tree);
    } else problems.push({ ruleId: rule.id, message: parsed.error.message });
  }
  const bodyReaders = new Set(rules.filter((_, position) => readsBody(filters[position]!)));
  return {
    rules,
    filters,
    list: compileList(filters, options),
    readsBody: bodyReaders.size > 0,
    bodyReaders,
  };
}

function readsBody(filter: Filter): boolean {
  return [...usesOf(filter).fields].some(({ stage }) => stage === 'body');
}
