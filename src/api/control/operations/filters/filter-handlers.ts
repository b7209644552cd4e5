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
import { type FirewallRule, FirewallRuleStore } from '../../stores/firewall-rules.ts';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { rulesNamedMax } from '../../context/limits.ts';
import { changeRows, type RowChange } from '../change-rows.ts';
import { readExpression } from './read-expression.ts';
import { type FilterContent, FilterCreation, normaliseContent } from './filter-creation.ts';
import { toFilterJson } from './filter-json.ts';
import { type Filter, filterTable, findFilterTwin } from '../../stores/filters.ts';

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
    const [filter] = replaceFilters(context, [{ id, pointer: body.pointer, item: body }], faults);
    return ok(filter!);
  },

  'filters.updateMany'(context, { body }) {
    const changes = body.map((item) => {
      const id = isFieldSound(item, 'id') ? item.value.id : undefined;
      return { id, pointer: item.pointer, item };
    });
    return ok(replaceFilters(context, changes, new FaultList()));
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

function replaceFilters(
  context: ZoneContext,
  changes: readonly RowChange<FilterContent>[],
  faults: FaultList,
): Result<'filters.updateMany'> {
  const { sql } = context;
  const changed = changeRows<FilterContent, Filter>(changes, faults, {
    api,
    find: (id, pointer) => findOwnFilter(context, id, pointer),
    read({ item, pointer }) {
      const expression = checkAnyExpression(context, item, { faults, pointer });
      if (item.problems.length > 0 || expression === undefined) return undefined;
      return (before) => ({ ...before, ...normaliseContent(item.value), expression });
    },
    replace: (after) => void filterTable.update(sql, after),
    findTwin: (after) => findFilterTwin(sql, after),
    createRepeated: (pointer, first) => fault(codes.filterRepeated, { pointer, fill: { first } }),
    createDuplicate: (pointer, id) => fault(codes.filterDuplicate, { pointer, id }),
  });
  return changed.map(({ before, after }) => {
    const json = toFilterJson(after);
    context.audit({ resource: 'filter', id: after.id, before: toFilterJson(before), after: json });
    return json;
  });
}

/** A filter that was created inside a rule is changed with the rule. */
function findOwnFilter(context: ZoneContext, id: string, pointer: string): Filter {
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
