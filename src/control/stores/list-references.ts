/** Who names a list: it cannot be deleted while anybody does. */
import { accountScheme } from '#firewall';
import { parse, usesOf } from '#expressions';
import type { Input } from '#api';
import { FilterStore } from './filter-store.ts';
import { RulesetStore } from './ruleset-store.ts';
import type { Sql } from '../context/sql.ts';

/** How many expressions name a list, by its name. To be asked by `countOf`: a list can be called `constructor`. */
export type References = Readonly<Record<string, number>>;

/** What came with the call, and what was found out on its way to the account. */
export interface CountedInput extends Pick<Input, 'path'> {
  readonly references?: References;
}

export function countOf(references: References, name: string): number {
  return Object.hasOwn(references, name) ? references[name]! : 0;
}

/** How many filters, used or not, and rules of a zone's rulesets name each of the lists. */
export function referencesInZone(sql: Sql, names: readonly string[]): References {
  const filters = new FilterStore(sql).containing('$').map(({ expression }) => expression);
  return counted(names, [...filters, ...ruleExpressions(sql)]);
}

/** How many rules of the account's own rulesets do. */
export function referencesInAccount(sql: Sql, names: readonly string[]): References {
  return counted(names, ruleExpressions(sql));
}

/** Of current versions. */
function ruleExpressions(sql: Sql): string[] {
  return new RulesetStore(sql)
    .containing('$')
    .flatMap(({ rules }) => rules.map(({ expression }) => expression));
}

/** Each expression is read once, however many lists there are: a zone can have thousands that name all of them. */
function counted(names: readonly string[], expressions: readonly string[]): References {
  const counts = new Map(names.map((name) => [name, 0]));
  for (const expression of expressions) {
    for (const name of listsIn(expression)) {
      const count = counts.get(name);
      if (count !== undefined) counts.set(name, count + 1);
    }
  }
  return Object.fromEntries(counts);
}

/** What looks like a list may stand in a string. */
function listsIn(expression: string): Iterable<string> {
  if (!expression.includes('$')) return [];
  const parsed = parse(expression, { scheme: accountScheme });
  return parsed.ok ? usesOf(parsed.tree).lists : [];
}
