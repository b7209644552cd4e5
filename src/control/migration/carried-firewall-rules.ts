/**
 * Firewall rules that bypass the previous managed rules, as exceptions. A bypass counts only for requests that get to it:
 * a rule before it that allows a request, or challenges one that has passed, ends the list. Exceptions stand in a list of
 * their own, so what ended the other list before them is taken out of their expressions.
 */
import { entryOf, type ErrorEntry, migrationLossCodes } from '#api';
import { expressionCharactersMax } from '#expressions';
import { challengeKinds } from '#firewall';
import type { FirewallRule } from '../stores/firewall-rule-store.ts';
import { type Carried, type CarriedRule, exception, without } from './carried-rule.ts';

const endingActions: ReadonlySet<string> = new Set(['allow', ...challengeKinds]);

/** Those that migration has to do something about. */
export function bypassesWaf({ action, products }: FirewallRule): boolean {
  return action === 'bypass' && products.includes('waf');
}

/** All rules of the zone, in the order in which requests meet them. */
export function carryFirewallRules(all: readonly FirewallRule[]): Carried {
  const rules: CarriedRule[] = [];
  const losses: ErrorEntry[] = [];
  const ending: string[] = [];
  for (const rule of all) {
    const { id, filter, action } = rule;
    const isInForce = !rule.isPaused && filter?.isPaused === false;
    if (bypassesWaf(rule)) {
      if (filter === undefined) losses.push(entryOf(migrationLossCodes.lossFilter, { fill: { rule: id } }));
      else rules.push(exceptionFor(rule, { own: filter.expression, ending, isInForce, losses }));
    } else if (isInForce && endingActions.has(action)) ending.push(filter.expression);
  }
  return { rules, losses };
}

interface Bypass {
  readonly own: string;
  /** Of rules that end the list before this one. */
  readonly ending: readonly string[];
  readonly isInForce: boolean;
  readonly losses: ErrorEntry[];
}

function exceptionFor({ id, description }: FirewallRule, bypass: Bypass): CarriedRule {
  const { own, ending, isInForce, losses } = bypass;
  const content = { description: `Rule migrated from Firewall Rules: ${description ?? id}` };
  const expression = without(own, ending);
  const { length: characters } = expression;
  if (characters <= expressionCharactersMax) return exception({ ...content, expression, enabled: isInForce });
  // Not to have an exception protects more than to have one that is too wide.
  const fill = { what: `firewall rule ${id}`, characters, max: expressionCharactersMax };
  losses.push(entryOf(migrationLossCodes.lossExceptionDisabled, { fill }));
  return exception({ ...content, expression: own, enabled: false });
}
