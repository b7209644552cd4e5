/**
 * The Cloudflare plan that an expression needs. Nothing is enforced here: this is data for hosts that enforce plans,
 * and for users who move rules between systems.
 */
import { type Filter, type Uses, usesOf, type ValueExpression } from '#expressions';
import type { Plan } from './plans.ts';

export interface Entitlement {
  readonly feature: string;
  readonly plan: Plan;
  readonly summary: string;
}

interface EntitlementRule extends Entitlement {
  isNeeded(uses: Uses): boolean;
}

function usesField(pattern: RegExp): (uses: Uses) => boolean {
  return ({ fields }) => [...fields].some(({ name }) => pattern.test(name));
}

const rules: readonly EntitlementRule[] = [
  {
    feature: 'regex',
    plan: 'business',
    summary: 'regular expressions: matches, ~ and regex_replace',
    isNeeded: ({ regexCount }) => regexCount > 0,
  },
  {
    feature: 'body',
    plan: 'enterprise',
    summary: 'fields of the request body',
    isNeeded: usesField(/^(?:http|gatehouse)\.request\.body\./),
  },
  {
    feature: 'bot_management',
    plan: 'enterprise',
    summary: 'scores and fingerprints of bots',
    isNeeded: usesField(/^cf\.bot_management\./),
  },
  {
    feature: 'attack_score',
    plan: 'enterprise',
    summary: 'scores of attacks',
    isNeeded: usesField(/^cf\.waf\.score(?:\.(?:sqli|xss|rce))?$/),
  },
  {
    feature: 'attack_score_class',
    plan: 'business',
    summary: 'classes of attack scores',
    isNeeded: usesField(/^cf\.waf\.score\.class$/),
  },
  {
    feature: 'token_validation',
    plan: 'enterprise',
    summary: 'claims and validity of tokens',
    isNeeded: ({ fields }) =>
      [...fields].some(({ name }) => /^(?:http\.request|gatehouse)\.jwt\./.test(name)),
  },
];

/** The parts of an expression that not every plan includes. */
export function entitlementsOf(tree: Filter | ValueExpression): readonly Entitlement[] {
  const uses = usesOf(tree);
  return rules
    .filter((rule) => rule.isNeeded(uses))
    .map(({ feature, plan, summary }) => ({ feature, plan, summary }));
}
