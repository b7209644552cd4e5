/** What firewall rules do, and in which order: the older product, whose rules each refer to a filter. */

/** In order of precedence, which decides between rules of the same priority and between those without one. */
export const firewallRuleActions = [
  'log',
  'bypass',
  'allow',
  'challenge',
  'managed_challenge',
  'js_challenge',
  'block',
] as const;

export type FirewallRuleAction = (typeof firewallRuleActions)[number];

/** What a rule that bypasses, or skips, can name; `waf` means the previous managed rules. */
export const products = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
] as const;

export type Product = (typeof products)[number];

/** Priorities are 31 bits. */
export const priorityMax = 2_147_483_647;

export interface OrderedFirewallRule {
  readonly action: FirewallRuleAction;
  /** Lower runs first; rules without one run last. */
  readonly priority: number | null;
  /** Grows with each rule of the zone that is created. */
  readonly sequence: number;
}

/** The order of evaluation, for `sort`. */
export function compareFirewallRules(a: OrderedFirewallRule, b: OrderedFirewallRule): number {
  return (
    comparePriorities(a.priority, b.priority) || precedence(a) - precedence(b) || a.sequence - b.sequence
  );
}

function comparePriorities(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : a - b;
}

function precedence({ action }: OrderedFirewallRule): number {
  return firewallRuleActions.indexOf(action);
}
