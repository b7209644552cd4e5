/** Firewall rules as clients see them, each key in the place it has at the original. */
import { deletedFilterJson, filterOfRuleJson } from '../filters/filter-json.ts';
import type { FirewallRule } from '../../stores/firewall-rule-store.ts';

export function firewallRuleJson(rule: FirewallRule): object {
  const { id, description, action, priority, products, filter, filterId, ref } = rule;
  return {
    id,
    paused: rule.isPaused,
    ...(description === null ? {} : { description }),
    action,
    priority,
    ...(products.length === 0 ? {} : { products }),
    filter: filter === undefined ? deletedFilterJson(filterId) : filterOfRuleJson(filter),
    ...(ref === null ? {} : { ref }),
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  };
}
