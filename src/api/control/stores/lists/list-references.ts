/** Counts the expressions that name a list: a list cannot be deleted while there are any. */
import { type Pieces, runAtOnce } from '#work';
import { accountScheme } from '#rulesets';
import { parseNames, stepsPerCharacter, usesOf } from '#expressions';
import { filterTable } from '../filters.ts';
import { RulesetStore } from '../rulesets.ts';
import type { Sql } from '../../context/tables/sql.ts';

/**
 * The number of expressions that name a list, by list name. Use `getCount` to read it, because a list can be named
 * `constructor`.
 */
export type References = Readonly<Record<string, number>>;

export function getCount(references: References, name: string): number {
  return Object.hasOwn(references, name) ? references[name]! : 0;
}

/**
 * Counts the filters, including unused ones, and rules of a zone's rulesets that name each list. All of them are read
 * from the store at once, so that the count is consistent.
 */
export function countReferencesInZone(sql: Sql, names: readonly string[]): Pieces<References> {
  const filters = filterTable.pick(sql, 'expression', 'WHERE instr(expression, ?) > 0', '$');
  return countNames(names, [...filters, ...readRuleExpressions(sql)]);
}

/** Counts the rules of the account's own rulesets that name each list. */
export function countReferencesInAccount(sql: Sql, names: readonly string[]): References {
  return runAtOnce(countNames(names, readRuleExpressions(sql)));
}

/** The expressions of the current versions. */
function readRuleExpressions(sql: Sql): string[] {
  return new RulesetStore(sql)
    .findContaining('$')
    .flatMap(({ rules }) => rules.map(({ expression }) => expression));
}

/** Each expression is parsed once, however many lists there are: a zone can have thousands that name all of them. */
function* countNames(names: readonly string[], expressions: readonly string[]): Pieces<References> {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const expression of expressions) {
    for (const name of findLists(expression)) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
    yield expression.length * stepsPerCharacter;
  }
  return Object.fromEntries(counts);
}

/** A string may contain text that looks like a list. */
function findLists(expression: string): Iterable<string> {
  if (!expression.includes('$')) return [];
  const parsed = parseNames(expression, { scheme: accountScheme });
  return parsed.ok ? usesOf(parsed.tree).lists : [];
}
