/** The rule's own fields, without its filter: checked, and in the form in which they are stored. */
import { type FirewallRuleAction, includesPlan, notEntitled, type Product } from '#firewall';
import { fault, FaultList, firewallRuleCodes as codes } from '#contract';
import { normaliseContent } from '../filters/filter-creation.ts';
import type { ZoneContext } from '../../context/handler.ts';

export interface FirewallRuleContent {
  readonly action: FirewallRuleAction;
  readonly products?: readonly Product[] | null;
  readonly priority?: number | null;
  readonly paused?: boolean;
  readonly description?: string | null;
  readonly ref?: string | null;
}

/** Cloudflare allows the action log on its largest plan only. */
const planToLog = 'enterprise';

/** `pointer` points to the rule. The fault lists everything that is wrong. */
export function checkContent({ zone }: ZoneContext, content: FirewallRuleContent, pointer: string) {
  const { action, priority = null } = content;
  const products = [...new Set(content.products)];
  const faults = new FaultList();
  if (action === 'log' && !includesPlan(zone.plan, planToLog)) {
    const reason = notEntitled('the action log', { plan: zone.plan, needed: planToLog });
    faults.add(fault(codes.ruleNotEntitled, { pointer: `${pointer}/action`, fill: { reason } }));
  }
  if (action !== 'bypass' && products.length > 0) faults.add(fault(codes.ruleProductsMisplaced, { pointer }));
  if (action === 'bypass' && products.length === 0) faults.add(fault(codes.ruleProductsMissing, { pointer }));
  faults.throwIfAny();
  return { action, products, priority, ...normaliseContent(content) };
}
