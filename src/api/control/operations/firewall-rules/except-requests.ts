/** Excludes requests from a firewall rule: its filter gets a condition, or the rule is paused. */
import { fault, filterCodes, firewallRuleCodes as codes } from '#contract';
import type { ZoneContext } from '../../context/handler.ts';
import { toSeconds } from '../../context/timestamps.ts';
import { type Filter, filterTable, findFilterTwin } from '../../stores/filters.ts';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rules.ts';
import { FilterCreation } from '../filters/filter-creation.ts';
import { toFilterJson } from '../filters/filter-json.ts';
import { readExpression } from '../filters/read-expression.ts';
import { toFirewallRuleJson } from './firewall-rule-json.ts';

/** Returns the rule after the change. */
export function exceptRequests(
  context: ZoneContext,
  id: string,
  expression: string | undefined,
): FirewallRule {
  const store = new FirewallRuleStore(context.sql);
  const before = store.get(id);
  if (before === undefined) throw fault(codes.ruleNotFound, { fill: { rule: id } });
  const modifiedOn = toSeconds(context.nowMs);
  if (expression === undefined)
    return replaceRule(context, before, { ...before, isPaused: true, modifiedOn });
  const filter = narrowFilter(context, before, expression);
  const after = { ...before, filterId: filter.id, filter };
  return filter.id === before.filterId ? after : replaceRule(context, before, { ...after, modifiedOn });
}

function replaceRule({ sql, audit }: ZoneContext, before: FirewallRule, after: FirewallRule): FirewallRule {
  new FirewallRuleStore(sql).replace(after);
  const change = { before: toFirewallRuleJson(before), after: toFirewallRuleJson(after) };
  audit({ resource: 'firewall_rule', id: after.id, ...change });
  return after;
}

/** A filter that other rules use stays unchanged: the rule gets another one. */
function narrowFilter(context: ZoneContext, rule: FirewallRule, excepted: string): Filter {
  const { sql, directory, zone, audit } = context;
  const { filter: before, filterId } = rule;
  if (before === undefined) throw fault(codes.ruleFilterNotFound, { fill: { filter: filterId } });
  const place = { directory, plan: zone.plan, pointer: '/expression' };
  // Parsed on its own first: it must not close the parenthesis around it.
  const expression = readExpression(
    `(${before.expression}) and not (${readExpression(excepted, place)})`,
    place,
  );
  if (new FirewallRuleStore(sql).findUsing(filterId).length > 1) {
    const { description } = before;
    return new FilterCreation(context).add({ expression, description }, { pointer: '' });
  }
  const after = { ...before, expression };
  const twin = findFilterTwin(sql, after);
  if (twin !== undefined) throw fault(filterCodes.filterDuplicate, { pointer: '/expression', id: twin });
  filterTable.update(sql, after);
  audit({ resource: 'filter', id: after.id, before: toFilterJson(before), after: toFilterJson(after) });
  return after;
}
