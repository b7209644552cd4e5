/**
 * Converts firewall rules that bypass the legacy managed rules into exceptions. A bypass applies only to requests that
 * reach it: an earlier rule that allows a request, or that challenges one which has already passed, ends the evaluation
 * of the list. Exceptions are evaluated in a list of their own, so their expressions exclude the requests for which an
 * earlier rule would have ended the other list.
 */
import { entryOf, type ErrorEntry, migrationLossCodes } from '#contract';
import { expressionCharactersMax } from '#expressions';
import { challengeKinds } from '#rulesets';
import type { FirewallRule } from '../stores/firewall-rules.ts';
import { type Carried, type CarriedRule, createSkipRule, excludeExpressions } from './carried-rule.ts';

const endingActions: ReadonlySet<string> = new Set(['allow', ...challengeKinds]);

/** Whether migration has to convert the rule. */
export function bypassesWaf({ action, products }: FirewallRule): boolean {
  return action === 'bypass' && products.includes('waf');
}

/** `all` are the rules of the zone in the order of evaluation. */
export function carryFirewallRules(all: readonly FirewallRule[]): Carried {
  const rules: CarriedRule[] = [];
  const losses: ErrorEntry[] = [];
  const ending: string[] = [];
  for (const rule of all) {
    const { id, filter, action } = rule;
    const isInForce = !rule.isPaused && filter?.isPaused === false;
    if (bypassesWaf(rule)) {
      if (filter === undefined) losses.push(entryOf(migrationLossCodes.lossFilter, { fill: { rule: id } }));
      else rules.push(carryBypass(rule, { own: filter.expression, ending, isInForce, losses }));
    } else if (isInForce && endingActions.has(action)) ending.push(filter.expression);
  }
  return { rules, losses };
}

interface Bypass {
  readonly own: string;
  /** Expressions of the rules that end the evaluation before this one. */
  readonly ending: readonly string[];
  readonly isInForce: boolean;
  readonly losses: ErrorEntry[];
}

function carryBypass({ id, description }: FirewallRule, bypass: Bypass): CarriedRule {
  const { own, ending, isInForce, losses } = bypass;
  const content = { description: `Rule migrated from Firewall Rules: ${description ?? id}` };
  const expression = excludeExpressions(own, ending);
  const { length: characters } = expression;
  if (characters <= expressionCharactersMax)
    return createSkipRule({ ...content, expression, enabled: isInForce });
  // No exception is safer than one that matches too much.
  const fill = { what: `firewall rule ${id}`, characters, max: expressionCharactersMax };
  losses.push(entryOf(migrationLossCodes.lossExceptionDisabled, { fill }));
  return createSkipRule({ ...content, expression: own, enabled: false });
}
