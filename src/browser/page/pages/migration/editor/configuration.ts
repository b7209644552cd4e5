/** The rules that a zone migrates to: proposed, edited and sent. */
import type { EntryRule } from '../../../api/managed/entry-point.ts';
import { managedRulesetId, owaspRulesetId } from '../../../api/managed/ids.ts';
import {
  type OverrideEdit,
  type Overrides,
  editRule,
  tidyOverrides,
} from '../../../api/managed/overrides.ts';

/** A rule to be sent. Text that is not a valid rule yet is kept as typed. */
export interface DraftRule {
  readonly key: string;
  readonly rule: EntryRule;
  readonly json?: string;
}

/** The edited configuration. */
export interface Configuration {
  readonly rules: readonly DraftRule[];
}

export function toDraft(rules: readonly EntryRule[]): Configuration {
  return { rules: rules.map((rule, index) => ({ key: `rule-${index}`, rule })) };
}

/** Undefined while a text is not a valid rule. */
export function readConfiguration({ rules }: Configuration): readonly EntryRule[] | undefined {
  const isReadable = rules.every(({ json }) => json === undefined || !('problem' in readRule(json)));
  return isReadable ? rules.map(({ rule }) => rule) : undefined;
}

/** The rule that the text describes, or why it is invalid. */
export function readRule(json: string): EntryRule | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'A rule is a JSON object, such as {"action": "skip", …}.' };
  const { action, expression, enabled = true } = value as Partial<EntryRule>;
  if (typeof action !== 'string' || typeof expression !== 'string' || typeof enabled !== 'boolean')
    return { problem: 'A rule needs "action" and "expression" as strings, and "enabled" as true or false.' };
  return { ...(value as EntryRule), enabled };
}

const origins = [
  ['Rule migrated from Firewall Rules: ', 'Firewall rule'],
  ['Rule migrated from Page Rules: ', 'Page rule'],
] as const;

/** The origin of a proposed rule. */
export function describeOrigin({ action, description = '', action_parameters }: EntryRule): string {
  for (const [start, origin] of origins) {
    if (description.startsWith(start)) return `${origin}: ${description.slice(start.length)}`;
  }
  if (action === 'execute' && action_parameters?.id === managedRulesetId)
    return 'Packages CloudFlare and USER: modes of rules and groups';
  if (action === 'execute' && action_parameters?.id === owaspRulesetId)
    return 'Package OWASP: sensitivity and action';
  return 'Written by hand';
}

export function overridesOf({ action_parameters }: EntryRule): Overrides {
  return action_parameters?.overrides ?? {};
}

export function changeOverrides(rule: EntryRule, overrides: Overrides): EntryRule {
  const { overrides: _replaced, ...parameters } = rule.action_parameters ?? {};
  const tidy = tidyOverrides(overrides);
  return { ...rule, action_parameters: tidy === undefined ? parameters : { ...parameters, overrides: tidy } };
}

/** Changes the effect of one rule of the managed ruleset. Properties that the change does not contain are kept. */
export function mergeOverride(rule: EntryRule, ruleId: string, change: OverrideEdit): EntryRule {
  return changeOverrides(rule, editRule(overridesOf(rule), ruleId, change));
}

/**
 * Sets the effect of one rule of the managed ruleset; properties that the change does not contain are left to the
 * ruleset.
 */
export function overrideRule(rule: EntryRule, ruleId: string, change: OverrideEdit = {}): EntryRule {
  return mergeOverride(rule, ruleId, {
    action: undefined,
    enabled: undefined,
    score_threshold: undefined,
    ...change,
  });
}
