/** The complete configuration of a zone's legacy managed rules, as data for migration and the edge. */
import { type LegacyPackage, legacyPackages, type LegacyRule } from '#managed';
import { type PageRule, pageRuleTable } from '../stores/page-rules.ts';
import { readWafSetting } from '../stores/settings.ts';
import {
  type GroupMode,
  legacyGroupTable,
  legacyRuleTable,
  overrideTable,
  type PackageSettings,
  readModes,
  readPackageSettings,
  type RuleMode,
  type UriOverride,
} from '../stores/managed-rules.ts';
import type { Sql } from '../context/tables/sql.ts';

export interface LegacyWafConfiguration {
  /** The switch of the whole legacy WAF; a few rules ignore it. */
  readonly waf: 'on' | 'off';
  readonly packages: readonly ConfiguredPackage[];
  /** The overrides in order of precedence, including paused ones. */
  readonly overrides: readonly UriOverride[];
  /** The active page rules in order of precedence. */
  readonly pageRules: readonly PageRule[];
}

export interface ConfiguredPackage {
  readonly id: string;
  readonly name: LegacyPackage['name'];
  /** Null for a traditional package, which has no settings. */
  readonly settings: PackageSettings | null;
  readonly groups: readonly { readonly id: string; readonly mode: GroupMode }[];
  readonly rules: readonly ConfiguredRule[];
}

export interface ConfiguredRule {
  readonly id: string;
  readonly groupId: string;
  /** What the rule does while its group is on. */
  readonly mode: RuleMode;
  readonly defaultMode: RuleMode;
  /** Whether the zone set the mode, even to the default of that time. */
  readonly isChanged: boolean;
}

export function readLegacyWafConfiguration(sql: Sql): LegacyWafConfiguration {
  const modes = { groups: readModes(sql, legacyGroupTable), rules: readModes(sql, legacyRuleTable) };
  return {
    waf: readWafSetting(sql),
    packages: legacyPackages.map((each) =>
      toConfiguredPackage(each, {
        ...modes,
        settings: each.detectionMode === 'anomaly' ? readPackageSettings(sql, each.id) : null,
      }),
    ),
    overrides: overrideTable.list(sql),
    pageRules: pageRuleTable.list(sql).filter(({ status }) => status === 'active'),
  };
}

function toConfiguredPackage(
  { id, name, groups, rules }: LegacyPackage,
  changed: {
    readonly settings: PackageSettings | null;
    readonly groups: ReadonlyMap<string, GroupMode>;
    readonly rules: ReadonlyMap<string, RuleMode>;
  },
): ConfiguredPackage {
  return {
    id,
    name,
    settings: changed.settings,
    groups: groups.map((group) => ({
      id: group.id,
      mode: changed.groups.get(group.id) ?? group.defaultMode,
    })),
    rules: rules.map((rule) => toConfiguredRule(rule, changed.rules.get(rule.id))),
  };
}

function toConfiguredRule(
  { id, groupId, defaultMode }: LegacyRule,
  changed: RuleMode | undefined,
): ConfiguredRule {
  return { id, groupId, mode: changed ?? defaultMode, defaultMode, isChanged: changed !== undefined };
}
