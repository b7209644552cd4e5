/** The rule's own fields, without its filter: checked, and in the form in which they are stored. */
import { includesPlan, notEntitled } from '#rulesets';
import { fault, FaultList, firewallRuleCodes as codes, type InputOf } from '#contract';
import { normaliseContent } from '../filters/filter-creation.ts';
import type { ZoneContext } from '../../context/handler.ts';

type GivenRule = InputOf<'firewallRules.update'>['body']['value'];
export type FirewallRuleContent = Omit<GivenRule, 'id' | 'filter' | 'created_on' | 'modified_on'>;

/** Cloudflare allows the action log on its largest plan only. */
const planToLog = 'enterprise';

/** Missing fields get their defaults. */
export function normaliseRule(content: FirewallRuleContent) {
  const { action, priority = null } = content;
  return { action, products: [...new Set(content.products)], priority, ...normaliseContent(content) };
}

/** `pointer` points to the rule. The fault lists everything that is wrong. */
export function checkContent({ zone }: ZoneContext, content: FirewallRuleContent, pointer: string) {
  const rule = normaliseRule(content);
  const { action, products } = rule;
  const faults = new FaultList();
  if (action === 'log' && !includesPlan(zone.plan, planToLog)) {
    const reason = notEntitled('the action log', { plan: zone.plan, needed: planToLog });
    faults.add(fault(codes.ruleNotEntitled, { pointer: `${pointer}/action`, fill: { reason } }));
  }
  if (action !== 'bypass' && products.length > 0) faults.add(fault(codes.ruleProductsMisplaced, { pointer }));
  if (action === 'bypass' && products.length === 0) faults.add(fault(codes.ruleProductsMissing, { pointer }));
  faults.throwIfAny();
  return rule;
}
