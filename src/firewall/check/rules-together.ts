/** What the rules of one ruleset owe to each other: each its own id and ref, and how many they may be. */
import { customRulesetRulesMax, rulesMax, zoneRulesMax } from '../limits.ts';
import type { Home, RuleDraft, RulesetRule } from '../model.ts';
import type { RulesetContext } from './context.ts';
import type { Place } from './place.ts';

export interface Member {
  readonly rule: RuleDraft | RulesetRule;
  /** Where a client wrote it; rules that stand in the ruleset already have none. */
  readonly place?: Place;
}

/** Problems are noted where the later of two members was written: what stands already comes first in the list. */
export function checkTogether(members: readonly Member[], home: Home): void {
  const ids = new Set<string>();
  const refs = new Set<string>();
  const deployed = new Set<unknown>();
  for (const { rule, place } of members) {
    const { id, ref = id } = rule;
    if (id !== undefined && isSecond(ids, id)) {
      place?.at('id').refuse('duplicate', 'another rule of the ruleset has this id');
    }
    if (ref !== undefined && isSecond(refs, ref)) {
      place?.at('ref').refuse('duplicate', 'another rule of the ruleset has this ref');
    }
    // Accounts may deploy a ruleset several times, each time for other zones.
    if (home.kind !== 'zone' || home.phase !== 'http_request_firewall_managed') continue;
    const target = rule.action === 'execute' ? rule.action_parameters?.['id'] : undefined;
    if (target !== undefined && isSecond(deployed, target)) {
      const reason = 'a zone deploys each managed ruleset once';
      place?.at('action_parameters').at('id').refuse('duplicate', reason);
    }
  }
}

function isSecond<T>(seen: Set<T>, value: T): boolean {
  if (seen.has(value)) return true;
  seen.add(value);
  return false;
}

/** `place` is that of the rules, or of the one that is too many. */
export function checkRuleCount(count: number, place: Place, { home, context }: CountContext): boolean {
  const countMax = ruleCountMax(home, context);
  if (count <= countMax) return true;
  const message = `exceeded the maximum number of rules in the phase ${home.phase}: ${count} out of ${countMax}`;
  place.problems.add('too_many_rules', message, place.pointer);
  return false;
}

interface CountContext {
  readonly home: Home;
  readonly context: RulesetContext;
}

function ruleCountMax({ kind, phase }: Home, { plan }: RulesetContext): number {
  if (phase !== 'http_request_firewall_custom') return rulesMax;
  if (kind === 'zone') return zoneRulesMax[plan];
  return kind === 'custom' ? customRulesetRulesMax : rulesMax;
}
