/** Firewall rules as clients see them, with the keys in Cloudflare's order. */
import type { Result } from '#contract';
import { toDeletedFilterJson, toRuleFilterJson } from '../filters/filter-json.ts';
import type { FirewallRule } from '../../stores/firewall-rules.ts';

export function toFirewallRuleJson(rule: FirewallRule): Result<'firewallRules.get'> {
  const { id, description, action, priority, products, filter, filterId, ref } = rule;
  return {
    id,
    paused: rule.isPaused,
    ...(description === null ? {} : { description }),
    action,
    priority,
    ...(products.length === 0 ? {} : { products }),
    filter: filter === undefined ? toDeletedFilterJson(filterId) : toRuleFilterJson(filter),
    ...(ref === null ? {} : { ref }),
    created_on: rule.createdOn,
    modified_on: rule.modifiedOn,
  };
}
