/** Rules of any kind with an expression each, compiled as one list. */
import { assert } from '#base';
import { type Pieces, registerWork } from '#work';
import {
  compileListInPieces,
  type CompiledList,
  type Filter,
  type ListSummary,
  loadList,
  parse,
  preparePatterns,
  summarizeList,
  type RunOptions,
  usesOf,
} from '#expressions';
import { accountScheme } from '#rulesets';

export interface RuleProgram<Rule> {
  readonly rules: readonly Rule[];
  /** The expression of the rule at a position. */
  readonly getFilter: (position: number) => Filter;
  readonly list: CompiledList;
  readonly readsBody: boolean;
  /** The rules that read bodies. */
  readonly bodyReaders: ReadonlySet<Rule>;
}

/**
 * A rule that could not be compiled, and is therefore not in force. It was valid when it was written: a list may have
 * been removed since.
 */
export interface RuleProblem {
  readonly ruleId: string;
  readonly message: string;
}

export interface Compiling {
  readonly options: RunOptions & {
    /** Whether the pattern engines that requests will need are created at once, rather than by the first request. */
    readonly makesEngines?: boolean;
  };
  /** Receives the rules that could not be compiled. */
  readonly problems: RuleProblem[];
}

/** Steps per character for parsing a rule, if its patterns are compiled. */
const stepsPerCharacter = 20;

export function* compileRules<Rule extends { readonly id: string; readonly expression: string }>(
  given: readonly Rule[],
  { options: { makesEngines = false, ...options }, problems }: Compiling,
): Pieces<RuleProgram<Rule>> {
  const rules: Rule[] = [];
  const filters: Filter[] = [];
  for (const rule of given) {
    const { id: name, expression: text } = rule;
    // One by one, because a rule may have many.
    yield* preparePatterns([{ name, text }], { scheme: accountScheme, makesEngines });
    const parsed = parse(text, { scheme: accountScheme });
    if (parsed.ok) {
      rules.push(rule);
      filters.push(parsed.tree);
    } else problems.push({ ruleId: name, message: parsed.error.message });
    yield text.length * stepsPerCharacter;
  }
  const bodyReaders = new Set(rules.filter((_, position) => readsBody(filters[position]!)));
  const list = yield* compileListInPieces(filters, options);
  list.workFirst = registerWork(...rules.map(({ id }) => id));
  return {
    rules,
    getFilter: (position) => filters[position]!,
    list,
    readsBody: bodyReaders.size > 0,
    bodyReaders,
  };
}

/** The properties of rules that are known before they are compiled, as plain data: see `ListSummary`. */
export interface RulesSummary {
  readonly list: ListSummary;
  /** The positions of the rules that read bodies. */
  readonly bodyReaders: readonly number[];
}

interface SummarizedRule {
  readonly expression: string;
}

export function summarizeRules(rules: readonly SummarizedRule[]): RulesSummary {
  const filters = rules.map(parseRule);
  const bodyReaders = [...filters.keys()].filter((position) => readsBody(filters[position]!));
  return { list: summarizeList(filters), bodyReaders };
}

/** The program that `compileRules` creates from the rules; a rule is parsed and compiled when it is first needed. */
export function loadRules<Rule extends SummarizedRule & { readonly id: string }>(
  rules: readonly Rule[],
  summary: RulesSummary,
): RuleProgram<Rule> {
  const filters: (Filter | undefined)[] = [];
  const getFilter = (position: number): Filter => (filters[position] ??= parseRule(rules[position]!));
  const list = loadList(summary.list, { getFilter, scheme: accountScheme });
  list.workFirst = registerWork(...rules.map(({ id }) => id));
  return {
    rules,
    getFilter,
    list,
    readsBody: summary.bodyReaders.length > 0,
    bodyReaders: new Set(summary.bodyReaders.map((position) => rules[position]!)),
  };
}

function parseRule({ expression }: SummarizedRule): Filter {
  const parsed = parse(expression, { scheme: accountScheme });
  assert(parsed.ok, `a rule of the catalogue can be read: ${expression}`);
  return parsed.tree;
}

function readsBody(filter: Filter): boolean {
  return [...usesOf(filter).fields].some(({ stage }) => stage === 'body');
}
