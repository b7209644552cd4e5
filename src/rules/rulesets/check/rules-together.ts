/** Constraints between the rules of one ruleset: unique ids and refs, and their number. */
import { executeParameters } from '../bodies.ts';
import { changeRulesMax, customRulesetRulesMax, rateRulesMax, rulesMax, zoneRulesMax } from '../limits.ts';
import type { Home, RuleDraft, RulesetRule } from '../model.ts';
import { isChangingPhase } from '../phases.ts';
import type { BodyField } from '../problem.ts';
import { redirectParameters } from '../written/parameters.ts';
import { findRedirectCircle } from './changes/redirect-loop.ts';
import type { RulesetContext } from './context.ts';
import type { RuleField } from './rule.ts';

export interface Member {
  readonly rule: RuleDraft | RulesetRule;
  /** Where a client wrote it; absent for rules that are already in the ruleset. */
  readonly field?: RuleField;
}

/** Problems are reported at the later of two members in the request: existing rules come first in the list. */
export function checkTogether(
  members: readonly Member[],
  { home, context }: { readonly home: Home; readonly context: RulesetContext },
): void {
  if (home.kind === 'zone' && home.phase === 'http_request_dynamic_redirect')
    checkCircle(members, context.zoneName);
  const ids = new Set<string>();
  const refs = new Set<string>();
  const deployed = new Set<unknown>();
  for (const { rule, field } of members) {
    const { id, ref = id } = rule;
    if (id !== undefined && isSecond(ids, id)) {
      field?.at('id').refuse('duplicate', 'another rule of the ruleset has this id');
    }
    if (ref !== undefined && isSecond(refs, ref)) {
      field?.at('ref').refuse('duplicate', 'another rule of the ruleset has this ref');
    }
    // Accounts may deploy a ruleset several times, each time for other zones.
    if (home.kind !== 'zone' || home.phase !== 'http_request_firewall_managed') continue;
    const target = rule.action === 'execute' ? rule.action_parameters?.['id'] : undefined;
    if (target !== undefined && isSecond(deployed, target)) {
      const reason = 'a zone deploys each managed ruleset once';
      field?.at('action_parameters').as(executeParameters).at('id').refuse('duplicate', reason);
    }
  }
}

/** The problem is reported at a rule that was sent. */
function checkCircle(members: readonly Member[], zoneName: string | undefined): void {
  const rules = members.map(({ rule }) => rule);
  const circle = findRedirectCircle(rules, zoneName);
  const field = circle.map((index) => members[index]!.field).find((each) => each !== undefined);
  const target = field?.at('action_parameters').as(redirectParameters).at('from_value').at('target_url');
  target
    ?.at('value')
    .refuse('redirectLoop', 'other rules redirect requests for it back to this rule, without an end');
}

function isSecond<T>(seen: Set<T>, value: T): boolean {
  if (seen.has(value)) return true;
  seen.add(value);
  return false;
}

/** `field` is that of the rules, or of the one that exceeds the limit. */
export function checkRuleCount(
  count: number,
  field: BodyField<unknown>,
  { home, context }: CountContext,
): boolean {
  const countMax = ruleCountMax(home, context);
  if (count <= countMax) return true;
  const message = `exceeded the maximum number of rules in the phase ${home.phase}: ${count} out of ${countMax}`;
  field.problems.add('tooManyRules', message, field.pointer);
  return false;
}

interface CountContext {
  readonly home: Home;
  readonly context: RulesetContext;
}

function ruleCountMax({ kind, phase }: Home, { plan }: RulesetContext): number {
  if (phase === 'http_ratelimit' && kind === 'zone') return rateRulesMax[plan];
  if (isChangingPhase(phase)) return changeRulesMax[plan];
  if (phase !== 'http_request_firewall_custom') return rulesMax;
  if (kind === 'zone') return zoneRulesMax[plan];
  return kind === 'custom' ? customRulesetRulesMax : rulesMax;
}
