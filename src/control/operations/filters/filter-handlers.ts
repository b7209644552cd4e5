/** Operations on filters. */
import { entryOf, fault, filterCodes, type filterOperations, ok, page } from '#api';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { FirewallRuleStore } from '../../stores/firewall-rule-store.ts';
import { checkedExpression } from './checked-expression.ts';
import { type FilterContent, FilterCreation, keptContent } from './filter-creation.ts';
import { filterJson } from './filter-json.ts';
import { type Filter, FilterStore } from '../../stores/filter-store.ts';

export const filterHandlers: Handlers<ZoneContext, typeof filterOperations> = {
  'filters.create'(context, { body }) {
    const creation = new FilterCreation(context);
    return ok(body.map((content, index) => filterJson(creation.add(content, { pointer: `/${index}` }))));
  },

  'filters.list'(context, { query }) {
    const { page: number, per_page, ...conditions } = query;
    const store = new FilterStore(context.sql);
    const { total, filters } = store.find(conditions, { offset: (number - 1) * per_page, limit: per_page });
    return page(filters.map(filterJson), { page: number, per_page, total });
  },

  'filters.get'(context, { path }) {
    const id = path['filter_id']!;
    const filter = new FilterStore(context.sql).get(id);
    if (filter === undefined) throw fault(filterCodes.filterNotFound, { fill: { filter: id } });
    return ok(filterJson(filter));
  },

  'filters.update'(context, { path, body }) {
    const id = path['filter_id']!;
    if (body.id !== undefined && body.id !== id) {
      throw fault(filterCodes.filterIdMismatch, { pointer: '/id' });
    }
    const [filter] = replaceFilters(context, [{ id, content: body, pointer: '' }]);
    return ok(filter);
  },

  'filters.updateMany'(context, { body }) {
    const updates = body.map((content, index) => ({ id: content.id, content, pointer: `/${index}` }));
    return ok(replaceFilters(context, updates));
  },

  'filters.delete'(context, { path }) {
    return ok(removeFilter(context, path['filter_id']!));
  },

  'filters.deleteMany'(context, { query, body = [] }) {
    const ids = [...query.id, ...body.flatMap(({ id }) => id ?? [])];
    return ok(ids.map((id) => removeFilter(context, id)));
  },
};

interface FilterUpdate {
  readonly id: string;
  readonly content: FilterContent;
  /** Of the filter in the body. */
  readonly pointer: string;
}

/** Twins are looked for when all are in place, so that filters can trade expressions. */
function replaceFilters(context: ZoneContext, updates: readonly FilterUpdate[]): object[] {
  const store = new FilterStore(context.sql);
  const pointers = new Map<string, string>();
  const replaced = updates.map((update) => {
    const { id, pointer } = update;
    const first = pointers.get(id);
    if (first !== undefined) throw fault(filterCodes.filterRepeated, { pointer, fill: { first } });
    pointers.set(id, pointer);
    const before = store.get(id);
    if (before === undefined) throw fault(filterCodes.filterNotFound, { pointer, fill: { filter: id } });
    const after = contentReplaced(context, before, update);
    store.replace(after);
    return { before: filterJson(before), after };
  });
  return replaced.map(({ before, after }) => {
    const { id } = after;
    const twin = store.twinOf(after);
    if (twin !== undefined) {
      throw fault(filterCodes.filterDuplicate, { pointer: pointers.get(id)!, id: twin });
    }
    const json = filterJson(after);
    context.audit({ resource: 'filter', id, before, after: json });
    return json;
  });
}

function contentReplaced(context: ZoneContext, before: Filter, { content, pointer }: FilterUpdate): Filter {
  refuseInline(context, before, pointer);
  const expression = checkedExpression(content.expression, {
    directory: context.directory,
    plan: context.zone.plan,
    pointer: `${pointer}/expression`,
  });
  return { ...before, ...keptContent(content), expression };
}

/** A filter nobody has is as good as deleted. One that rules refer to leaves them without. */
function removeFilter(context: ZoneContext, id: string): object {
  const store = new FilterStore(context.sql);
  const before = store.get(id);
  if (before === undefined) return { id };
  refuseInline(context, before);
  store.remove(id);
  context.audit({ resource: 'filter', id, before: filterJson(before), after: undefined });
  const { length: count } = new FirewallRuleStore(context.sql).idsUsing(id);
  if (count > 0) context.say(entryOf(filterCodes.filterMissed, { fill: { filter: id, count } }));
  return { id };
}

function refuseInline(context: ZoneContext, { id, isInline }: Filter, pointer?: string): void {
  if (!isInline) return;
  const [rule] = new FirewallRuleStore(context.sql).idsUsing(id);
  throw fault(filterCodes.filterInline, {
    fill: { filter: id },
    ...(pointer === undefined ? {} : { pointer }),
    ...(rule === undefined ? {} : { id: rule }),
  });
}
