/** For tests: rules in every kind of ruleset. */
import type { Plan } from '../plans/plans.ts';
import { type Checked, JsonField } from '#shapes';
import { rule } from '../bodies.ts';
import type { Home, RuleDraft } from '../model.ts';
import { noProblems } from '../problem.ts';
import { contextOf, customPhase, managedId, managedPhase } from '../testing.ts';
import { checkRule } from './rule.ts';

const homes = {
  custom: { level: 'zone', kind: 'zone', phase: customPhase },
  managed: { level: 'zone', kind: 'zone', phase: managedPhase },
  root: { level: 'account', kind: 'root', phase: customPhase },
  rootManaged: { level: 'account', kind: 'root', phase: managedPhase },
  set: { level: 'account', kind: 'custom', phase: customPhase },
  redirect: { level: 'zone', kind: 'zone', phase: 'http_request_dynamic_redirect' },
  transform: { level: 'zone', kind: 'zone', phase: 'http_request_transform' },
  late: { level: 'zone', kind: 'zone', phase: 'http_request_late_transform' },
  answer: { level: 'zone', kind: 'zone', phase: 'http_response_headers_transform' },
  errors: { level: 'zone', kind: 'zone', phase: 'http_custom_errors' },
  ask: { level: 'zone', kind: 'zone', phase: 'gatehouse_ask' },
  origin: { level: 'zone', kind: 'zone', phase: 'http_request_origin' },
  bots: { level: 'zone', kind: 'zone', phase: 'http_request_sbfm' },
  stored: { level: 'zone', kind: 'zone', phase: 'http_request_cache_settings' },
  ratelimit: { level: 'zone', kind: 'zone', phase: 'http_ratelimit' },
  packets: { level: 'account', kind: 'root', phase: 'magic_transit' },
} as const satisfies Record<string, Home>;

export type HomeName = keyof typeof homes;

export function check(home: HomeName, body: unknown, plan: Plan = 'enterprise'): Checked<RuleDraft> {
  const field = JsonField.ofBody(body, rule, noProblems());
  const context = contextOf({ level: homes[home].level, plan });
  const draft = checkRule(field, homes[home], context);
  return field.problems.conclude(() => draft!);
}

export const enterpriseOnly = '(ssl) and cf.zone.plan eq "ENT"';
export const block = { action: 'block', expression: 'ssl' };
export const skip = { action: 'skip', expression: 'ssl' };
export const execute = { action: 'execute', expression: 'true' };
export const response = { status_code: 429, content: 'no', content_type: 'text/plain' };

export function skips(action_parameters: unknown): object {
  return { ...skip, action_parameters };
}

export function executes(action_parameters: unknown): object {
  return { ...execute, action_parameters };
}

export function overrides(overrides: unknown, id = managedId): object {
  return executes({ id, overrides });
}
