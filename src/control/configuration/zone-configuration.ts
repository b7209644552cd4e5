/** What the edge needs of a zone, gathered from its database. What the account shares with its zones is added outside. */
import type {
  ConfiguredFirewallRule,
  PreviousConfiguration,
  PreviousMode,
  ZoneConfiguration,
} from '#firewall';
import type { ZoneFacts } from '../context/directory.ts';
import { FirewallRuleStore } from '../stores/firewall-rule-store.ts';
import { isWatched, migrationState } from '../stores/migration-store.ts';
import type { PageRule } from '../stores/page-rule-store.ts';
import { previousConfiguration } from './legacy-waf-configuration.ts';
import { entryPointsOf } from './evaluated-rulesets.ts';
import { edgeSettings } from '../stores/edge-settings-store.ts';
import type { Sql } from '../context/sql.ts';

/** Without what belongs to the account. */
export type ZonePart = Omit<ZoneConfiguration, 'lists' | 'customRulesets'>;

/** What all zones share. */
export type AccountPart = Pick<ZoneConfiguration, 'version' | 'lists' | 'customRulesets' | 'entryPoints'>;

export function zonePart(sql: Sql, zone: ZoneFacts, version: number): ZonePart {
  const { id, name, plan, accountId, isPaused } = zone;
  return {
    version,
    zone: { id, name, plan, accountId, isPaused },
    migration: migrationState(sql),
    isWatched: isWatched(sql),
    firewallRules: firewallRules(sql),
    entryPoints: entryPointsOf(sql),
    previous: previousPart(sql),
    edge: edgeSettings(sql),
  };
}

/** Versions of the zone (with the directory that it was read by) and of the account both grow: so does their sum, with each change. */
export function joined(zone: ZonePart, account: AccountPart): ZoneConfiguration {
  const { version, lists, customRulesets, entryPoints } = account;
  return {
    ...zone,
    version: zone.version + version,
    entryPoints: [...entryPoints, ...zone.entryPoints],
    lists,
    customRulesets,
  };
}

function firewallRules(sql: Sql): ConfiguredFirewallRule[] {
  return new FirewallRuleStore(sql).inOrder().flatMap((rule) => {
    const { id, action, products, description, ref, filter } = rule;
    if (rule.isPaused || filter === undefined || filter.isPaused) return [];
    const { expression } = filter;
    return [{ id, action, products, description: description ?? '', ref: ref ?? '', expression }];
  });
}

function previousPart(sql: Sql): PreviousConfiguration {
  const { waf, packages, overrides, pageRules } = previousConfiguration(sql);
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
        rules.filter(({ isChanged }) => isChanged).map(({ id, mode }) => [id, mode as PreviousMode]),
      ),
    ),
    overrides: overrides.filter(({ isPaused }) => !isPaused),
    pageRules: pageRules.map((rule) => ({ id: rule.id, pattern: rule.pattern, waf: wafOf(rule) })),
  };
}

export function wafOf({ actions }: PageRule): 'on' | 'off' | 'unset' {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  const waf = actions.find(({ id }) => id === 'waf')?.value;
  return waf === 'on' || waf === 'off' ? waf : 'unset';
}
