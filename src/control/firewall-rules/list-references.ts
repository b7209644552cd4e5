/** Who would be left without a list: its deletion is refused while there is anyone. */
import type { DurableObjectStorage } from '#objects';
import { parse, usesOf } from '#rules';
import { FilterStore } from '../filters/filter-store.ts';
import { FirewallRuleStore } from './firewall-rule-store.ts';

export interface ListReferences {
  /** Filters that name the list, used or not. */
  readonly filterIds: readonly string[];
  /** Firewall rules with these filters. */
  readonly ruleIds: readonly string[];
}

/** The name is without `$`. */
export function listReferences(sql: DurableObjectStorage['sql'], name: string): ListReferences {
  const rules = new FirewallRuleStore(sql);
  const candidates = new FilterStore(sql).containing(`$${name}`);
  const filterIds = candidates.filter(({ expression }) => namesList(expression, name)).map(({ id }) => id);
  return { filterIds, ruleIds: filterIds.flatMap((id) => rules.idsUsing(id)) };
}

/** `$office` is also the beginning of `$office_vpn`, and may stand in a string. */
function namesList(expression: string, name: string): boolean {
  const parsed = parse(expression);
  return parsed.ok && usesOf(parsed.tree).lists.has(name);
}
