/**
 * Collects the edge's configuration of a zone from the zone's database. The parts that all zones share come from the
 * account and are added at the edge.
 */
import type { ConfiguredFirewallRule, ConfiguredLegacyWaf, LegacyMode, ZonePart } from '#firewall';
import type { ZoneFacts } from '../context/directory.ts';
import { readConfiguredAccessRules } from '../stores/access-rules.ts';
import { readConfiguredLockdowns } from '../stores/lockdowns.ts';
import { readConfiguredUserAgentRules } from '../stores/user-agent-rules.ts';
import { FirewallRuleStore } from '../stores/firewall-rules.ts';
import { isWatched, readMigrationState } from '../stores/migration.ts';
import type { PageRule } from '../stores/page-rules.ts';
import { readPageSettings } from './page-settings.ts';
import { readLegacyWafConfiguration } from './legacy-waf-configuration.ts';
import { readEvaluatedEntryPoints } from './evaluated-rulesets.ts';
import { listOutOfForce } from './rule-ends.ts';
import { readEdgeSettings } from '../stores/edge.ts';
import { readLearnedProfile } from '../stores/learning.ts';
import { readChosenSettings } from '../stores/settings.ts';
import type { Sql } from '../context/tables/sql.ts';

/** The version includes that of the directory, because facts about the zone are from there. */
export function readZonePart(sql: Sql, zone: ZoneFacts, version: number): ZonePart {
  const { id, name, plan, accountId, isPaused } = zone;
  const settings = readChosenSettings(sql);
  const pageRules = readPageSettings(sql);
  const edge = readEdgeSettings(sql);
  const learned = (edge.learning ?? 'off') === 'off' ? undefined : readLearnedProfile(sql);
  const outOfForce = listOutOfForce(sql).map(({ rule, since }) => ({ rule, since }));
  return {
    version,
    zone: { id, name, plan, accountId, isPaused },
    migration: readMigrationState(sql),
    isWatched: isWatched(sql),
    firewallRules: readFirewallRules(sql),
    entryPoints: readEvaluatedEntryPoints(sql),
    previous: readLegacyWaf(sql),
    edge,
    ...(learned === undefined ? {} : { learned }),
    ...(settings === undefined ? {} : { settings }),
    ...(pageRules === undefined ? {} : { pageRules }),
    ...readTools(sql),
    ...(outOfForce.length === 0 ? {} : { outOfForce }),
  };
}

/** Absent parts are omitted. */
function readTools(sql: Sql): Pick<ZonePart, 'accessRules' | 'lockdowns' | 'userAgentRules'> {
  const accessRules = readConfiguredAccessRules(sql);
  const lockdowns = readConfiguredLockdowns(sql);
  const userAgentRules = readConfiguredUserAgentRules(sql);
  return {
    ...(accessRules === undefined ? {} : { accessRules }),
    ...(lockdowns === undefined ? {} : { lockdowns }),
    ...(userAgentRules === undefined ? {} : { userAgentRules }),
  };
}

function readFirewallRules(sql: Sql): ConfiguredFirewallRule[] {
  return new FirewallRuleStore(sql).listInOrder().flatMap((rule) => {
    const { id, action, products, description, ref, filter } = rule;
    if (rule.isPaused || filter === undefined || filter.isPaused) return [];
    const { expression } = filter;
    return [{ id, action, products, description: description ?? '', ref: ref ?? '', expression }];
  });
}

function readLegacyWaf(sql: Sql): ConfiguredLegacyWaf {
  const { waf, packages, overrides, pageRules } = readLegacyWafConfiguration(sql);
  return {
    waf,
    packages: Object.fromEntries(
      packages.flatMap(({ id, settings }) =>
        settings === null ? [] : [[id, { sensitivity: settings.sensitivity, action: settings.actionMode }]],
      ),
    ),
    groups: Object.fromEntries(packages.flatMap(({ groups }) => groups.map(({ id, mode }) => [id, mode]))),
    rules: Object.fromEntries(
      packages.flatMap(({ rules }) =>
        rules.filter(({ isChanged }) => isChanged).map(({ id, mode }) => [id, mode as LegacyMode]),
      ),
    ),
    overrides: overrides.filter(({ isPaused }) => !isPaused),
    pageRules: pageRules.map((rule) => ({ id: rule.id, pattern: rule.pattern, waf: readWafSwitch(rule) })),
  };
}

export function readWafSwitch({ actions }: PageRule): 'on' | 'off' | 'unset' {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  const waf = actions.find(({ id }) => id === 'waf')?.value;
  return waf === 'on' || waf === 'off' ? waf : 'unset';
}
