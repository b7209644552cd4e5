/** Who names a list: it cannot be deleted while anybody does. */
import type { DurableObjectStorage } from '#objects';
import type { Input } from '#v4';
import { listReferences as filtersNaming } from '../firewall-rules/list-references.ts';
import { listReferences as rulesNaming } from '../rulesets/list-references.ts';

type Sql = DurableObjectStorage['sql'];

/** How many expressions name a list, by its name. */
export type References = Readonly<Record<string, number>>;

/** What came with the call, and what was found out on its way to the account. */
export interface CountedInput extends Pick<Input, 'path'> {
  readonly references?: References;
}

/** How many filters and rules of a zone name each of the lists. */
export function referencesInZone(sql: Sql, names: readonly string[]): References {
  const count = (name: string): number =>
    filtersNaming(sql, name).filterIds.length + rulesNaming(sql, name).length;
  return Object.fromEntries(names.map((name) => [name, count(name)]));
}

/** How many rules of the account's own rulesets do. */
export function referencesInAccount(sql: Sql, name: string): number {
  return rulesNaming(sql, name).length;
}
