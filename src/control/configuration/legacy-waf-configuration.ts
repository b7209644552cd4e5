/** Everything that a zone says about the previous managed rules, as data: for migration, and for the edge. */
import { type PreviousPackage, previousPackages, type PreviousRule } from '#managed';
import { PageRuleStore, type PageRule } from '../stores/page-rule-store.ts';
import { SettingStore, type SettingValue } from '../stores/setting-store.ts';
import { OverrideStore, type UriOverride } from '../stores/waf-override-store.ts';
import {
  type GroupMode,
  type PackageSettings,
  PreviousStore,
  type RuleMode,
} from '../stores/waf-mode-store.ts';
import type { Sql } from '../context/sql.ts';

export interface PreviousConfiguration {
  /** The switch of all of it; a few rules ignore it. */
  readonly waf: SettingValue;
  readonly packages: readonly ConfiguredPackage[];
  /** In the order of precedence, paused ones included. */
  readonly overrides: readonly UriOverride[];
  /** The active ones, in the order of precedence. */
  readonly pageRules: readonly PageRule[];
}

export interface ConfiguredPackage {
  readonly id: string;
  readonly name: PreviousPackage['name'];
  /** Null for a traditional package. */
  readonly settings: PackageSettings | null;
  readonly groups: readonly { readonly id: string; readonly mode: GroupMode }[];
  readonly rules: readonly ConfiguredRule[];
}

export interface ConfiguredRule {
  readonly id: string;
  readonly groupId: string;
  /** What the rule does if its group is on. */
  readonly mode: RuleMode;
  readonly defaultMode: RuleMode;
  /** Whether the zone chose the mode, if only to keep the default of that day. */
  readonly isChanged: boolean;
}

export function previousConfiguration(sql: Sql): PreviousConfiguration {
  const store = new PreviousStore(sql);
  const modes = { groups: store.groupModes(), rules: store.ruleModes() };
  return {
    waf: new SettingStore(sql).waf(),
    packages: previousPackages.map((each) =>
      configuredPackage(each, {
        ...modes,
        settings: each.detectionMode === 'anomaly' ? store.packageSettings(each.id) : null,
      }),
    ),
    overrides: new OverrideStore(sql).all(),
    pageRules: new PageRuleStore(sql).all().filter(({ status }) => status === 'active'),
  };
}

function configuredPackage(
  { id, name, groups, rules }: PreviousPackage,
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
    rules: rules.map((rule) => configuredRule(rule, changed.rules.get(rule.id))),
  };
}

function configuredRule(
  { id, groupId, defaultMode }: PreviousRule,
  changed: RuleMode | undefined,
): ConfiguredRule {
  return { id, groupId, mode: changed ?? defaultMode, defaultMode, isChanged: changed !== undefined };
}
