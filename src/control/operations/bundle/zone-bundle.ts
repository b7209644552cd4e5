/**
 * A zone as one document, the same as long as the zone is. What it says of itself beside its parts is for people; an import
 * does not read it.
 */
import type { ErrorEntry } from '#api';
import { bodyBytesMax, bundleCodes, entryOf } from '#api';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rule-store.ts';
import { type Filter, FilterStore } from '../../stores/filter-store.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { referencesInZone } from '../../stores/list-references.ts';
import { isMigrated, migrationState } from '../../stores/migration-store.ts';
import { type PageRule, PageRuleStore } from '../../stores/page-rule-store.ts';
import { OverrideStore, type UriOverride } from '../../stores/waf-override-store.ts';
import { previousConfiguration } from '../../configuration/legacy-waf-configuration.ts';
import { PreviousStore } from '../../stores/waf-mode-store.ts';
import { RulesetStore } from '../../stores/ruleset-store.ts';
import { SettingStore } from '../../stores/setting-store.ts';
import { mayRead, type PartName, partNames } from './bundle-part.ts';
import { rulesetContent } from './ruleset-content.ts';

type Sql = ZoneContext['sql'];

const parts: Readonly<Record<PartName, (sql: Sql) => unknown>> = {
  settings: (sql) => ({ waf: new SettingStore(sql).waf() }),
  page_rules: (sql) => new PageRuleStore(sql).all().map(pageRuleContent),
  previous: previousPart,
  firewall: (sql) => ({
    filters: allFilters(sql).map((filter) => ({ id: filter.id, ...filterContent(filter) })),
    rules: new FirewallRuleStore(sql).inOrder().filter(hasFilter).map(ruleContent),
  }),
  rulesets: (sql) => new RulesetStore(sql).all('entry points').map(rulesetContent),
};

/** Nothing is worth keeping of a product that the zone never had, or has left. */
const previousParts: ReadonlySet<PartName> = new Set(['settings', 'previous']);

export function zoneBundle(context: ZoneContext): object {
  const { sql, zone } = context;
  const hasPrevious = zone.plan !== 'free' && !isMigrated(context);
  const known = partNames.filter((part) => hasPrevious || !previousParts.has(part));
  const shown = known.filter((part) => mayRead(context, part));
  const bundle = {
    format: 'gatehouse.zone',
    version: 1,
    zone: { id: zone.id, name: zone.name, plan: zone.plan },
    migration: { migration_state: migrationState(sql) },
    ...(shown.includes('firewall') || shown.includes('rulesets') ? { lists: listsOf(context) } : {}),
    ...Object.fromEntries(shown.map((part) => [part, parts[part](sql)])),
  };
  const hidden = known.filter((part) => !shown.includes(part));
  for (const part of hidden) context.say(entryOf(bundleCodes.bundlePartHidden, { fill: { part } }));
  for (const message of notes(sql, shown, bundle)) context.say(message);
  return bundle;
}

function notes(sql: Sql, shown: readonly PartName[], bundle: object): ErrorEntry[] {
  const rules = shown.includes('firewall') ? new FirewallRuleStore(sql).inOrder() : [];
  const lost = rules
    .filter((rule) => !hasFilter(rule))
    .map(({ id, filterId }) =>
      entryOf(bundleCodes.bundleRuleSkipped, { fill: { rule: id, filter: filterId } }),
    );
  const bytes = Buffer.byteLength(JSON.stringify(bundle));
  const tooLarge = entryOf(bundleCodes.bundleTooLarge, { fill: { bytes, max: bodyBytesMax } });
  return bytes > bodyBytesMax ? [...lost, tooLarge] : lost;
}

/** Those that expressions of the zone name. Items are not part of it: lists belong to the account. */
function listsOf({ sql, directory }: ZoneContext): object[] {
  const references = referencesInZone(sql, [...directory.lists.keys()]);
  return [...directory.lists.values()]
    .filter(({ name }) => references[name]! > 0)
    .map(({ name, kind }) => ({ name, kind }));
}

export function allFilters(sql: Sql): readonly Filter[] {
  return new FilterStore(sql).find({}, { offset: 0, limit: -1 }).filters;
}

export function filterContent({ expression, isPaused, description, ref, isInline }: Filter) {
  return { expression, paused: isPaused, description, ref, inline: isInline };
}

function hasFilter({ filter }: FirewallRule): boolean {
  return filter !== undefined;
}

export function ruleContent({
  filterId,
  action,
  products,
  priority,
  isPaused,
  description,
  ref,
}: FirewallRule) {
  return { filter: { id: filterId }, action, products, priority, paused: isPaused, description, ref };
}

export function pageRuleContent({ pattern, actions, priority, status }: PageRule) {
  const targets = [{ target: 'url' as const, constraint: { operator: 'matches' as const, value: pattern } }];
  return { targets, actions, priority, status };
}

export function overrideContent(override: UriOverride) {
  const { isPaused, urls, priority, groups, rules, rewriteAction, description } = override;
  return { paused: isPaused, urls, priority, groups, rules, rewrite_action: rewriteAction, description };
}

/** Only what the zone has changed, except for packages, which are few. */
function previousPart(sql: Sql): object {
  const store = new PreviousStore(sql);
  const packages = previousConfiguration(sql).packages.flatMap(({ id, settings }) => {
    if (settings === null) return [];
    const { sensitivity, actionMode } = settings;
    return [[id, { sensitivity, action_mode: actionMode }] as const];
  });
  return {
    packages: Object.fromEntries(packages),
    groups: Object.fromEntries(store.groupModes()),
    rules: Object.fromEntries(store.ruleModes()),
    overrides: new OverrideStore(sql).all().map(overrideContent),
  };
}
