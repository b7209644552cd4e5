/**
 * A zone as a document that changes only when the zone does. Anything in it besides its parts is information for
 * people; an import does not read it.
 */
import { runAtOnce } from '#work';
import { type ErrorEntry, type Result, requestBodyBytesMax, bundleCodes, entryOf } from '#contract';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rules.ts';
import { type Filter, filterTable } from '../../stores/filters.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { countReferencesInZone } from '../../stores/lists/list-references.ts';
import { isMigrated, readMigrationState } from '../../stores/migration.ts';
import { type PageRule, pageRuleTable } from '../../stores/page-rules.ts';
import { readLegacyWafConfiguration } from '../../configuration/legacy-waf-configuration.ts';
import {
  legacyGroupTable,
  legacyRuleTable,
  overrideTable,
  readModes,
  type UriOverride,
} from '../../stores/managed-rules.ts';
import { readEdgeSettings } from '../../stores/edge.ts';
import { RulesetStore } from '../../stores/rulesets.ts';
import { readWafSetting } from '../../stores/settings.ts';
import { toEdgeJson } from '../edge/edge-handlers.ts';
import { toNormalizationJson } from '../settings/url-normalization-handlers.ts';
import { readBundledSettings } from './bundled-settings.ts';
import { mayRead, type PartName, partNames } from './bundle-part.ts';
import { readSecurityTools } from './security-tools.ts';
import { toRulesetContent } from './ruleset-content.ts';

type Sql = ZoneContext['sql'];

const parts: Readonly<Record<PartName, (sql: Sql) => unknown>> = {
  settings: (sql) => ({ waf: readWafSetting(sql) }),
  edge: (sql) => toEdgeJson(readEdgeSettings(sql)),
  url_normalization: (sql) => toNormalizationJson(readEdgeSettings(sql)),
  zone_settings: (sql) => readBundledSettings(sql),
  page_rules: (sql) => pageRuleTable.list(sql).map(toPageRuleContent),
  security_tools: readSecurityTools,
  previous: toLegacyWafPart,
  firewall: (sql) => ({
    filters: filterTable.list(sql).map((filter) => ({ id: filter.id, ...toFilterContent(filter) })),
    rules: new FirewallRuleStore(sql).listInOrder().filter(hasFilter).map(toFirewallRuleContent),
  }),
  rulesets: (sql) => new RulesetStore(sql).listAll('entry points').map(toRulesetContent),
};

/** Parts that are omitted if the zone never had the legacy WAF, or no longer has it. */
const legacyWafParts: ReadonlySet<PartName> = new Set(['settings', 'previous']);

export function buildZoneBundle(context: ZoneContext): Result<'bundle.export'> {
  const { sql, zone } = context;
  const hasLegacyWaf = zone.plan !== 'free' && !isMigrated(context);
  const known = partNames.filter((part) => hasLegacyWaf || !legacyWafParts.has(part));
  const shown = known.filter((part) => mayRead(context, part));
  const bundle: Result<'bundle.export'> = {
    format: 'gatehouse.zone',
    version: 1,
    zone: { id: zone.id, name: zone.name, plan: zone.plan },
    migration: { migration_state: readMigrationState(sql) },
    ...(shown.includes('firewall') || shown.includes('rulesets') ? { lists: findNamedLists(context) } : {}),
    ...Object.fromEntries(
      shown.flatMap((part) => {
        const content = parts[part](sql);
        return content === undefined ? [] : [[part, content]];
      }),
    ),
  };
  const hidden = known.filter((part) => !shown.includes(part));
  for (const part of hidden) context.addMessage(entryOf(bundleCodes.bundlePartHidden, { fill: { part } }));
  for (const message of listNotes(sql, shown, bundle)) context.addMessage(message);
  return bundle;
}

function listNotes(sql: Sql, shown: readonly PartName[], bundle: object): ErrorEntry[] {
  const rules = shown.includes('firewall') ? new FirewallRuleStore(sql).listInOrder() : [];
  const lost = rules
    .filter((rule) => !hasFilter(rule))
    .map(({ id, filterId }) =>
      entryOf(bundleCodes.bundleRuleSkipped, { fill: { rule: id, filter: filterId } }),
    );
  const bytes = Buffer.byteLength(JSON.stringify(bundle));
  const tooLarge = entryOf(bundleCodes.bundleTooLarge, { fill: { bytes, max: requestBodyBytesMax } });
  return bytes > requestBodyBytesMax ? [...lost, tooLarge] : lost;
}

/** The lists that expressions of the zone name. Their items are not included, because lists belong to the account. */
function findNamedLists({ sql, directory }: ZoneContext): NonNullable<Result<'bundle.export'>['lists']> {
  const references = runAtOnce(countReferencesInZone(sql, [...directory.lists.keys()]));
  return (
    [...directory.lists.values()]
      .filter(({ name }) => references[name]! > 0)
      // No expression can name a list of redirects.
      .flatMap(({ name, kind }) => (kind === 'redirect' ? [] : [{ name, kind }]))
  );
}

export function toFilterContent({ expression, isPaused, description, ref, isInline }: Filter) {
  return { expression, paused: isPaused, description, ref, inline: isInline };
}

function hasFilter({ filter }: FirewallRule): boolean {
  return filter !== undefined;
}

export function toFirewallRuleContent(rule: FirewallRule) {
  const { id: _id, filter: _filter, createdOn: _created, modifiedOn: _modified, ...content } = rule;
  const { filterId, action, products, priority, isPaused, ...rest } = content;
  return { filter: { id: filterId }, action, products, priority, paused: isPaused, ...rest };
}

export function toPageRuleContent({ pattern, actions, priority, status }: PageRule) {
  const targets = [{ target: 'url' as const, constraint: { operator: 'matches' as const, value: pattern } }];
  return { targets, actions, priority, status };
}

export function toOverrideContent(override: UriOverride) {
  const { isPaused, urls, priority, groups, rules, rewriteAction, description } = override;
  return { paused: isPaused, urls, priority, groups, rules, rewrite_action: rewriteAction, description };
}

/** Only what the zone has changed, except for packages, which are few. */
function toLegacyWafPart(sql: Sql): object {
  const packages = readLegacyWafConfiguration(sql).packages.flatMap(({ id, settings }) => {
    if (settings === null) return [];
    const { sensitivity, actionMode } = settings;
    return [[id, { sensitivity, action_mode: actionMode }] as const];
  });
  return {
    packages: Object.fromEntries(packages),
    groups: Object.fromEntries(readModes(sql, legacyGroupTable)),
    rules: Object.fromEntries(readModes(sql, legacyRuleTable)),
    overrides: overrideTable.list(sql).map(toOverrideContent),
  };
}
