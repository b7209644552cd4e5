/** The managed rulesets and their rules, by id. */
import { createInstalledRulesets } from './core-rules/installed-ruleset.ts';
import { contentUpdated, contentVersion, type ManagedRule, type ManagedRuleset } from './managed-ruleset.ts';
import { exposedCredentials } from './rulesets/exposed-credentials.ts';
import { free } from './rulesets/free.ts';
import { managed } from './rulesets/managed.ts';
import { rulesetIds } from './ruleset-ids.ts';
import { levelCategories } from './rulesets/owasp.ts';

interface FoundRule {
  readonly ruleset: ManagedRuleset;
  readonly rule: ManagedRule;
}

/** Exists so that configurations that name it are accepted. It inspects responses, which are not judged. */
const sensitiveData: ManagedRuleset = {
  id: 'e22d83c647c64a3eae91b71b499d988e',
  name: 'Cloudflare Sensitive Data Detection',
  description: 'Listed for its id. Responses are not judged.',
  phase: 'http_response_firewall_managed',
  version: contentVersion,
  lastUpdated: contentUpdated,
  plans: ['enterprise'],
  rules: [],
};

const { ruleset: notInstalled } = createInstalledRulesets(undefined);
const rulesets = new Map(
  [managed, notInstalled, exposedCredentials, free, sensitiveData].map((ruleset) => [ruleset.id, ruleset]),
);
const rules = new Map<string, FoundRule>();
for (const ruleset of rulesets.values()) addRules(ruleset);

/** The OWASP ruleset is replaced when another version of its rules is put in force; all others are constant. */
export const managedRulesets: ReadonlyMap<string, ManagedRuleset> = rulesets;

/** No two rulesets share the id of a rule. */
export const managedRules: ReadonlyMap<string, FoundRule> = rules;

/** Zones compiled from now on use it. */
export function replaceRuleset(ruleset: ManagedRuleset): void {
  for (const { id } of rulesets.get(ruleset.id)?.rules ?? []) rules.delete(id);
  rulesets.set(ruleset.id, ruleset);
  addRules(ruleset);
}

/** Every category of a ruleset, for overrides that name one. */
export function listCategories(ruleset: ManagedRuleset): ReadonlySet<string> {
  const found = ruleset.rules.flatMap(({ categories }) => categories);
  return new Set(ruleset.id === rulesetIds.owasp ? [...levelCategories, ...found] : found);
}

function addRules(ruleset: ManagedRuleset): void {
  for (const rule of ruleset.rules) rules.set(rule.id, { ruleset, rule });
}
