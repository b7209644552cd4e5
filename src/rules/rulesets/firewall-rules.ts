/** The actions of firewall rules, and their order: the older product, whose rules each refer to a filter. */

/** The lowest comes first among actions: decides between rules of the same priority and between those without one. */
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

/** The products that a rule can bypass or skip; `waf` means the legacy managed rules. */
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

interface OrderedFirewallRule {
  readonly action: FirewallRuleAction;
  /** The lowest runs first; rules without a priority run last. */
  readonly priority: number | null;
  /** Grows with each created rule of the zone. */
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
