/** For tests: a small catalogue, a context, and drafts of every kind. */
import assert from 'node:assert/strict';
import type { RulesetContext } from './check/context.ts';
import { createRuleset, type Stamp } from './edit/edit-ruleset.ts';
import type { RuleDraft, Ruleset } from './model.ts';
import type { Checked, CodedProblem } from '#shapes';

export const managedId = 'efb7b8c949ac4650a09736fc376e9aee';
export const owaspId = '4814384a9e5d4991b9815dcfc25d2f1f';
export const thresholdRuleId = '6179ae15870a4bb7b2d480d4843b323c';
export const responseId = 'e22d83c647c64a3eae91b71b499d988e';
export const customId = 'c0000000000000000000000000000001';

export const managedPhase = 'http_request_firewall_managed';
export const customPhase = 'http_request_firewall_custom';

function catalogue(phase: string, parts: Partial<ReturnType<RulesetContext['managed']>> = {}) {
  return { phase, plan: 'pro', rule: () => undefined, hasCategory: () => false, ...parts } as const;
}

export function contextOf(parts: Partial<RulesetContext> = {}): RulesetContext {
  return {
    level: 'zone',
    plan: 'enterprise',
    zoneName: 'zone.example',
    lists: new Map([
      ['office', 'ip'],
      ['hosts', 'hostname'],
      ['networks', 'asn'],
      ['moved', 'redirect'],
    ]),
    managed: (id) =>
      new Map([
        [
          managedId,
          catalogue(managedPhase, {
            rule: (ruleId) => (/^m[0-9]+$/.test(ruleId) ? { hasThreshold: false } : undefined),
            hasCategory: (category) => ['wordpress', 'sqli'].includes(category),
          }),
        ],
        [
          owaspId,
          catalogue(managedPhase, {
            rule: (ruleId) => (ruleId === thresholdRuleId ? { hasThreshold: true } : undefined),
            hasCategory: (category) => category.startsWith('paranoia-level-'),
          }),
        ],
        [responseId, catalogue('http_response_firewall_managed')],
      ]).get(id),
    custom: (id) =>
      id === customId
        ? catalogue(customPhase, {
            rule: (ruleId) => (ruleId === 'r1' ? { hasThreshold: false } : undefined),
          })
        : undefined,
    hasEntryPoint: () => false,
    ...parts,
  };
}

/** Ids are numbers with 32 digits, times count the stamps. */
export function stampsOf(): () => Stamp {
  let ids = 0;
  let times = 0;
  return () => {
    const now = `2024-01-20T14:29:00.${String(++times).padStart(6, '0')}Z`;
    return { now, newId: () => String(++ids).padStart(32, '0') };
  };
}

export function blockRule(parts: Partial<RuleDraft> = {}): RuleDraft {
  return { action: 'block', expression: 'http.host eq "a"', enabled: true, ...parts };
}

/** A ruleset of the custom phase of a zone. */
export function rulesetOf(rules: readonly RuleDraft[], stamp: Stamp): Ruleset {
  return createRuleset({ name: 'default', description: '', kind: 'zone', phase: customPhase, rules }, stamp);
}

export function valueOf<T>(checked: Checked<T>): T {
  assert.ok(checked.ok, checked.ok ? '' : JSON.stringify(checked.problems, undefined, 2));
  return checked.value;
}

export function problemsOf(checked: Checked<unknown>): readonly CodedProblem[] {
  assert.ok(!checked.ok, 'expected problems');
  return checked.problems;
}

/** In the notation of test tables. */
export function briefly(checked: Checked<unknown>): readonly string[] {
  return problemsOf(checked).map(({ code, pointer }) => `${code} ${pointer}`);
}
