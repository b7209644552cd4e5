/**
 * Imports a bundle's settings of the legacy managed rules. Only an import that replaces changes single settings,
 * because a zone always has a value for each of them.
 */
import { isDeepStrictEqual } from 'node:util';
import { legacyGroups, legacyPackages, legacyRules } from '#managed';
import { bundleCodes, entryOf, fault, wafCodes } from '#contract';
import { pointerTo } from '#shapes';
import type { ZoneContext } from '../../context/handler.ts';
import { groupHandlers } from '../managed-rules/group-handlers.ts';
import { overrideHandlers } from '../managed-rules/override-handlers.ts';
import { packageHandlers } from '../managed-rules/package-handlers.ts';
import {
  legacyGroupTable,
  legacyRuleTable,
  overrideTable,
  readModes,
  readPackageSettings,
} from '../../stores/managed-rules.ts';
import { ruleHandlers } from '../managed-rules/rule-handlers.ts';
import { settingHandlers } from '../settings/setting-handlers.ts';
import { readWafSetting } from '../../stores/settings.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, type Tally, runWithin } from './import-run.ts';
import { toOverrideContent } from './zone-bundle.ts';

type LegacyWafPart = NonNullable<Bundle['previous']>;
type GivenOverride = LegacyWafPart['overrides'][number];

const query = {};

export function importSettings(run: ImportRun, { waf }: NonNullable<Bundle['settings']>): void {
  const { context, mode } = run;
  const tally = run.getTally('settings');
  if (readWafSetting(context.sql) === waf) tally.kept++;
  else if (mode === 'merge') keep(context, tally, 'the setting waf');
  else {
    runWithin('/settings/waf', () =>
      settingHandlers['settings.edit'](context, {
        path: { setting_id: 'waf' },
        query,
        body: { value: waf },
      }),
    );
    tally.changed++;
  }
}

export function importLegacyWaf(run: ImportRun, part: LegacyWafPart): void {
  const tally = run.getTally('previous_settings');
  if (run.mode === 'replace') {
    importPackages(run.context, part, tally);
    importGroups(run.context, part, tally);
    importRules(run.context, part, tally);
  } else keep(run.context, tally, 'what the zone has set about packages, groups and rules');
  importOverrides(run, part.overrides);
}

function keep({ addMessage }: ZoneContext, tally: Tally, what: string): void {
  tally.kept++;
  addMessage(entryOf(bundleCodes.bundleKept, { fill: { what } }));
}

function importPackages(context: ZoneContext, { packages }: LegacyWafPart, tally: Tally): void {
  for (const [id, body] of Object.entries(packages)) {
    runWithin(pointerTo('/previous/packages', id), () => {
      if (!legacyPackages.some((each) => each.id === id)) throw fault(wafCodes.wafPackageNotFound);
      const { sensitivity, actionMode } = readPackageSettings(context.sql, id);
      if (isDeepStrictEqual(body, { sensitivity, action_mode: actionMode })) return void tally.kept++;
      packageHandlers['wafPackages.edit'](context, { path: { package_id: id }, query, body });
      tally.changed++;
    });
  }
}

function importGroups(context: ZoneContext, { groups }: LegacyWafPart, tally: Tally): void {
  const modes = readModes(context.sql, legacyGroupTable);
  for (const id of new Set([...modes.keys(), ...Object.keys(groups)])) {
    runWithin(pointerTo('/previous/groups', id), () => {
      const group = legacyGroups.get(id);
      // A row about a group that is no longer in the catalogue has no meaning.
      if (group === undefined && !Object.hasOwn(groups, id)) return;
      if (group === undefined) throw fault(wafCodes.wafGroupNotFound);
      const mode = groups[id] ?? group.defaultMode;
      if (mode === (modes.get(id) ?? group.defaultMode)) return void tally.kept++;
      const path = { package_id: group.packageId, group_id: id };
      groupHandlers['wafGroups.edit'](context, { path, query, body: { mode } });
      tally.changed++;
    });
  }
}

function importRules(context: ZoneContext, { rules }: LegacyWafPart, tally: Tally): void {
  const modes = readModes(context.sql, legacyRuleTable);
  for (const id of new Set([...modes.keys(), ...Object.keys(rules)])) {
    runWithin(pointerTo('/previous/rules', id), () => {
      const rule = legacyRules.get(id);
      if (rule === undefined && !Object.hasOwn(rules, id)) return;
      if (rule === undefined) throw fault(wafCodes.wafRuleNotFound);
      if (rules[id] === modes.get(id)) return void tally.kept++;
      const mode = rules[id] ?? (rule.kind === 'deny' ? 'default' : rule.defaultMode);
      const path = { package_id: rule.packageId, rule_id: id };
      ruleHandlers['wafRules.edit'](context, { path, query, body: { mode } });
      tally.changed++;
    });
  }
}

function importOverrides(run: ImportRun, given: readonly GivenOverride[]): void {
  const { context, mode } = run;
  const tally = run.getTally('waf_overrides');
  const own = overrideTable.list(context.sql);
  if (mode === 'replace') {
    if (isDeepStrictEqual(own.map(toOverrideContent), given.map(normaliseOverride))) {
      tally.kept = own.length;
      return;
    }
    for (const { id } of own) {
      const path = { override_id: id };
      overrideHandlers['wafOverrides.delete'](context, { path, query, body: undefined });
    }
    tally.removed = own.length;
  }
  const kept = mode === 'merge' ? own.map(toOverrideContent) : [];
  for (const [index, body] of given.entries()) {
    const isThere = kept.some((each) => isDeepStrictEqual(each, normaliseOverride(body)));
    if (!isThere) {
      runWithin(`/previous/overrides/${index}`, () =>
        overrideHandlers['wafOverrides.create'](context, { path: {}, query, body }),
      );
    }
    tally[isThere ? 'kept' : 'added']++;
  }
}

function normaliseOverride(given: GivenOverride) {
  const { paused = false, urls, priority = 0, groups, rules, rewrite_action, description } = given;
  return {
    paused,
    urls,
    priority,
    groups: groups ?? {},
    rules: rules ?? {},
    rewrite_action: rewrite_action ?? {},
    description: description || null,
  };
}
