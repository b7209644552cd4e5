/** Imports the filters and firewall rules of a bundle. The ids in it only say which rule uses which filter. */
import { isDeepStrictEqual } from 'node:util';
import { bundleCodes, fault, migrationMessageCodes } from '#contract';
import { FilterCreation, normaliseContent } from '../filters/filter-creation.ts';
import { toFilterJson } from '../filters/filter-json.ts';
import { createFirewallRules } from '../firewall-rules/firewall-rule-creation.ts';
import { normaliseRule } from '../firewall-rules/firewall-rule-checks.ts';
import { toFirewallRuleJson } from '../firewall-rules/firewall-rule-json.ts';
import { FirewallRuleStore } from '../../stores/firewall-rules.ts';
import type { ZoneContext } from '../../context/handler.ts';
import { addIdleBypassMessages } from '../../migration/notes.ts';
import type { Bundle } from './bundle-part.ts';
import { type ImportRun, runWithin, hideMessages } from './import-run.ts';
import { filterTable } from '../../stores/filters.ts';
import { toFilterContent, toFirewallRuleContent } from './zone-bundle.ts';

type FirewallPart = NonNullable<Bundle['firewall']>;
type GivenFilter = FirewallPart['filters'][number];
type GivenRule = FirewallPart['rules'][number];

const root = '/firewall';

export function importFirewall(run: ImportRun, part: FirewallPart): void {
  const { context, mode } = run;
  checkReferences(part);
  const tallies = { filters: run.getTally('filters'), rules: run.getTally('firewall_rules') };
  if (mode === 'replace') {
    if (isSame(context, part)) {
      tallies.filters.kept = part.filters.length;
      tallies.rules.kept = part.rules.length;
      return;
    }
    const removed = removeAll(context);
    tallies.filters.removed = removed.filters;
    tallies.rules.removed = removed.rules;
  }
  const existing = readExisting(context);
  const ids = new Map<string, string>();
  const creation = new FilterCreation(context);
  for (const [index, filter] of part.filters.entries()) {
    const id = existing.filters.get(filter.expression.trim());
    ids.set(filter.id, id ?? addFilter(creation, filter, index));
    tallies.filters[id === undefined ? 'added' : 'kept']++;
  }
  const quiet = hideMessages(context, migrationMessageCodes.bypassIdle);
  for (const [index, rule] of part.rules.entries()) {
    const filterId = ids.get(rule.filter.id)!;
    const isThere = existing.rules.has(buildRuleKey({ ...rule, filterId }));
    if (!isThere) addRule(quiet, rule, { filterId, index });
    tallies.rules[isThere ? 'kept' : 'added']++;
  }
  if (tallies.rules.added > 0)
    addIdleBypassMessages(context, new FirewallRuleStore(context.sql).listInOrder());
}

/** The zone's state before the import: ids of filters by expression, and the keys of its rules. */
function readExisting({ sql }: ZoneContext) {
  return {
    filters: new Map(filterTable.list(sql).map(({ expression, id }) => [expression, id])),
    rules: new Set(new FirewallRuleStore(sql).listInOrder().map(buildRuleKey)),
  };
}

/** A rule of the zone stays unchanged, with its priority, if the bundle has an equivalent one. */
function buildRuleKey({
  filterId,
  action,
  products,
}: Pick<GivenRule, 'action' | 'products'> & { filterId: string }): string {
  return [filterId, action, ...(products ?? []).toSorted()].join();
}

function checkReferences({ filters, rules }: FirewallPart): void {
  const ids = new Set<string>();
  for (const [index, { id }] of filters.entries()) {
    const details = { pointer: `${root}/filters/${index}/id`, fill: { filter: id } };
    if (ids.has(id)) throw fault(bundleCodes.bundleFilterRepeated, details);
    ids.add(id);
  }
  for (const [index, { filter }] of rules.entries()) {
    const details = { pointer: `${root}/rules/${index}/filter/id`, fill: { filter: filter.id } };
    if (!ids.has(filter.id)) throw fault(bundleCodes.bundleFilterMissing, details);
  }
}

/** Compares content only, not ids. */
function isSame({ sql }: ZoneContext, { filters, rules }: FirewallPart): boolean {
  const own = filterTable.list(sql);
  const expressions = new Map([...own, ...filters].map(({ id, expression }) => [id, expression.trim()]));
  const fillIn = (rule: GivenRule | ReturnType<typeof toFirewallRuleContent>): object => {
    return { ...normaliseRule(rule), expression: expressions.get(rule.filter.id) };
  };
  return (
    isDeepStrictEqual(own.map(toFilterContent), filters.map(normaliseFilter)) &&
    isDeepStrictEqual(
      new FirewallRuleStore(sql).listInOrder().map(toFirewallRuleContent).map(fillIn),
      rules.map(fillIn),
    )
  );
}

function normaliseFilter(filter: GivenFilter): ReturnType<typeof toFilterContent> {
  const { isPaused, description, ref } = normaliseContent(filter);
  const { expression, inline = false } = filter;
  return { expression: expression.trim(), paused: isPaused, description, ref, inline };
}

function removeAll({ sql, audit }: ZoneContext): { readonly filters: number; readonly rules: number } {
  const rules = new FirewallRuleStore(sql);
  const [allRules, all] = [rules.listInOrder(), filterTable.list(sql)];
  for (const rule of allRules) {
    rules.remove(rule.id);
    audit({ resource: 'firewall_rule', id: rule.id, before: toFirewallRuleJson(rule), after: undefined });
  }
  for (const filter of all) {
    filterTable.remove(sql, filter.id);
    audit({ resource: 'filter', id: filter.id, before: toFilterJson(filter), after: undefined });
  }
  return { filters: all.length, rules: allRules.length };
}

function addFilter(creation: FilterCreation, filter: GivenFilter, index: number): string {
  const { id: _id, inline = false, ...content } = filter;
  const pointer = `${root}/filters/${index}`;
  return creation.add(content, inline ? { pointer, ruleIndex: index } : { pointer }).id;
}

function addRule(
  context: ZoneContext,
  { id: _id, filter: _filter, created_on: _created, modified_on: _modified, ...content }: GivenRule,
  { filterId, index }: { readonly filterId: string; readonly index: number },
): void {
  const add = (): void => {
    const value = { ...content, filter: { id: filterId } };
    const reply = createFirewallRules(context, [{ pointer: '/0', value, problems: [] }]);
    if (reply.kind === 'refused') throw reply.fault;
  };
  runWithin(`${root}/rules/${index}`, add, '/0');
}
