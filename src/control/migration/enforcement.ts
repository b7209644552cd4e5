/** Whether a generation of managed rules does anything for a zone. */
import { type ExecuteParameters, evaluatedRules, resolveOverrides, type Ruleset } from '#firewall';
import { managedRulesets } from '#managed';
import { wafOf } from '../configuration/zone-configuration.ts';
import type { ZoneContext } from '../context/handler.ts';
import { PageRuleStore } from '../stores/page-rule-store.ts';
import { SettingStore } from '../stores/setting-store.ts';
import { isMigrated } from '../stores/migration-store.ts';

/** The previous managed rules: on for the zone, or for a page of it. */
export function previousEnforces({ sql, zone }: Pick<ZoneContext, 'sql' | 'zone'>): boolean {
  if (zone.plan === 'free' || isMigrated({ sql })) return false;
  if (new SettingStore(sql).waf() === 'on') return true;
  return new PageRuleStore(sql).all().some((rule) => rule.status === 'active' && wafOf(rule) === 'on');
}

/** The entry point of the managed phase: it executes something that has rules left. */
export function rulesetEnforces(entryPoint: Ruleset | undefined): boolean {
  if (entryPoint === undefined) return false;
  return evaluatedRules(entryPoint).some(
    (rule) => rule.enabled && rule.action === 'execute' && hasRulesLeft(rule.action_parameters),
  );
}

/** Rules that score are nothing without the one that compares. */
function hasRulesLeft({ id, overrides }: ExecuteParameters): boolean {
  const rules = managedRulesets.get(id)?.rules ?? [];
  const effective = resolveOverrides(rules, overrides);
  const isLeft = rules.filter((rule) => effective.get(rule.id)?.enabled === true);
  const comparing = rules.find(({ scoreThreshold }) => scoreThreshold !== undefined);
  return comparing === undefined ? isLeft.length > 0 : isLeft.includes(comparing) && isLeft.length > 1;
}
