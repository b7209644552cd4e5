/** What firewall rules do, and in which order: the older product, whose rules each refer to a filter. */

/** Of actions, the lowest first: decides between rules of the same priority and between those without one. */
export const actionPrecedence = {
  block: 6,
  challenge: 3,
  js_challenge: 5,
  managed_challenge: 4,
  allow: 2,
  log: 0,
  bypass: 1,
} as const;

export type FirewallRuleAction = keyof typeof actionPrecedence;

export const firewallRuleActions = Object.keys(actionPrecedence) as readonly FirewallRuleAction[];

/** What a rule that bypasses, or skips, can name; `waf` means the legacy managed rules. */
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
    comparePriorities(a.priority, b.priority) ||
    actionPrecedence[a.action] - actionPrecedence[b.action] ||
    a.sequence - b.sequence
  );
}

function comparePriorities(a: number | null, b: number | null): number {
  if (a === b) return 0;
  if (a === null) return 1;
  return b === null ? -1 : a - b;
}
