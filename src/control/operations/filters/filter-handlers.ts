/** Operations on filters. */
import {
  entryOf,
  fault,
  FaultList,
  filterCodes as codes,
  type IdsOf,
  malformed,
  ok,
  operations,
  page,
  type Result,
} from '#contract';
import { type Examined, isFieldSound } from '#shapes';
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rule-store.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { rulesNamedMax } from '../../context/limits.ts';
import { readExpression } from './read-expression.ts';
import { type FilterContent, FilterCreation, normaliseContent } from './filter-creation.ts';
import { toFilterJson } from './filter-json.ts';
import { type Filter, filterTable, findFilterTwin } from '../../stores/filter-store.ts';

const { api } = operations['filters.create'];

export const filterHandlers: Handlers<ZoneContext, Exclude<IdsOf<'filters'>, `filters.validate${string}`>> = {
  'filters.create'(context, { body }) {
    const creation = new FilterCreation(context);
    const faults = new FaultList();
    const created = body.map((item, index) => createFilter(context, { creation, faults, item, index }));
    return ok(faults.settle(created));
  },

  'filters.list'(context, { query }) {
    const { total, rows } = filterTable.search(context.sql, query);
    return page(rows.map(toFilterJson), { ...query, total });
  },

  'filters.get'(context, { path }) {
    const id = path['filter_id']!;
    const filter = filterTable.get(context.sql, id);
    if (filter === undefined) throw fault(codes.filterNotFound, { fill: { filter: id } });
    return ok(toFilterJson(filter));
  },

  'filters.update'(context, { path, body }) {
    const id = path['filter_id']!;
    const faults = new FaultList();
    if (isFieldSound(body, 'id') && body.value.id !== undefined && body.value.id !== id) {
      faults.add(fault(codes.filterIdMismatch, { pointer: '/id' }));
    }
    const [filter] = replaceFilters(context, [{ id, item: body }], faults);
    return ok(filter!);
  },

  'filters.updateMany'(context, { body }) {
    const updates = body.map((item) => ({ id: isFieldSound(item, 'id') ? item.value.id : undefined, item }));
    return ok(replaceFilters(context, updates, new FaultList()));
  },

  'filters.delete'(context, { path, query }) {
    return ok(removeFilter(context, path['filter_id']!, query.if_unused));
  },

  'filters.deleteMany'(context, { query, body = [] }) {
    const ids = [...query.id, ...body.flatMap(({ id }) => id ?? [])];
    const faults = new FaultList();
    const removed = ids.map((id) => faults.attempt(() => removeFilter(context, id, query.if_unused)));
    return ok(faults.settle(removed));
  },
};

interface Creating {
  readonly creation: FilterCreation;
  readonly faults: FaultList;
  readonly item: Examined<FilterContent & { readonly id?: string }>;
  readonly index: number;
}

/** Returns undefined if the filter is not created; the faults say why. */
function createFilter(
  context: ZoneContext,
  { creation, faults, item, index }: Creating,
): Result<'filters.get'> | undefined {
  const pointer = `/${index}`;
  const { value, problems } = item;
  if (problems.length > 0) {
    faults.add(malformed(api, problems));
    checkAnyExpression(context, item, { faults, pointer });
    return undefined;
  }
  const filter = faults.attempt(() => creation.add(value, { pointer }));
  if (value.id) context.addMessage(entryOf(codes.filterIdUntaken, { fill: { place: pointer } }));
  return filter && toFilterJson(filter);
}

/** Returns the expression in the form in which it is stored, if the item has one and it is valid. */
function checkAnyExpression(
  { directory, zone }: ZoneContext,
  item: Examined<FilterContent>,
  { faults, pointer }: { readonly faults: FaultList; readonly pointer: string },
): string | undefined {
  const { expression } = item.value;
  if (!isFieldSound(item, 'expression') || expression === undefined) return undefined;
  const place = { directory, plan: zone.plan, pointer: `${pointer}/expression` };
  return faults.attempt(() => readExpression(expression, place));
}

interface FilterUpdate {
  /** Undefined if the body has none. */
  readonly id: string | undefined;
  readonly item: Examined<FilterContent>;
}

/** Duplicates are looked for after all changes are made, so that filters can trade expressions. */
function replaceFilters(
  context: ZoneContext,
  updates: readonly FilterUpdate[],
  faults: FaultList,
): Result<'filters.updateMany'> {
  const pointers = new Map<string, string>();
  const replaced = new Map<string, { readonly before: Filter; readonly after: Filter }>();
  for (const { id, item } of updates) {
    const { pointer, problems, value } = item;
    if (problems.length > 0) faults.add(malformed(api, problems));
    const before =
      id === undefined ? undefined : faults.attempt(() => claim(context, id, { pointers, pointer }));
    const expression = checkAnyExpression(context, item, { faults, pointer });
    if (problems.length > 0 || before === undefined || expression === undefined) continue;
    const after = { ...before, ...normaliseContent(value), expression };
    filterTable.update(context.sql, after);
    replaced.set(after.id, { before, after });
  }
  for (const [id, { after }] of replaced) {
    const twin = findFilterTwin(context.sql, after);
    // A filter that was to be changed but failed might have made room.
    if (twin === undefined || (pointers.has(twin) && !replaced.has(twin))) continue;
    faults.add(fault(codes.filterDuplicate, { pointer: pointers.get(id)!, id: twin }));
  }
  faults.throwIfAny();
  return Array.from(replaced.values(), ({ before, after }) => {
    const json = toFilterJson(after);
    context.audit({ resource: 'filter', id: after.id, before: toFilterJson(before), after: json });
    return json;
  });
}

/** Returns the filter that an item changes; each filter only once. */
function claim(
  context: ZoneContext,
  id: string,
  { pointers, pointer }: { readonly pointers: Map<string, string>; readonly pointer: string },
): Filter {
  const first = pointers.get(id);
  if (first !== undefined) throw fault(codes.filterRepeated, { pointer, fill: { first } });
  pointers.set(id, pointer);
  const filter = filterTable.get(context.sql, id);
  if (filter === undefined) throw fault(codes.filterNotFound, { pointer, fill: { filter: id } });
  const [rule] = filter.isInline ? new FirewallRuleStore(context.sql).findUsing(id) : [];
  if (rule !== undefined) throw fault(codes.filterInline, { pointer, id: rule.id, fill: { filter: id } });
  return filter;
}

/** Deleting a filter that does not exist succeeds. Rules that refer to a deleted filter have no filter left. */
function removeFilter(context: ZoneContext, id: string, isGuarded = false): Result<'filters.delete'> {
  const before = filterTable.get(context.sql, id);
  if (before === undefined) return { id };
  const rules = new FirewallRuleStore(context.sql).findUsing(id);
  const [rule] = rules;
  const fill = { filter: id, count: rules.length, rules: nameRules(rules) };
  if (rule !== undefined && before.isInline) throw fault(codes.filterInline, { fill, id: rule.id });
  if (rule !== undefined && isGuarded) throw fault(codes.filterInUse, { fill, id: rule.id });
  filterTable.remove(context.sql, id);
  context.audit({ resource: 'filter', id, before: toFilterJson(before), after: undefined });
  if (rule !== undefined) context.addMessage(entryOf(codes.filterMissed, { fill }));
  return { id };
}

function nameRules(rules: readonly Pick<FirewallRule, 'id' | 'isPaused'>[]): string {
  const named = rules.slice(0, rulesNamedMax).map(({ id, isPaused }) => (isPaused ? `${id} (paused)` : id));
  const more = rules.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
