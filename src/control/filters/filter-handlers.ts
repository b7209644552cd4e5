/** Operations on filters. */
import { parse, printDiagnostic } from '#rules';
import { fault, filterCodes, type filterOperations, ok, page } from '#v4';
import type { Handlers, ZoneContext } from '../handler.ts';
import { type Filter, FilterStore } from './filter-store.ts';

export const filterHandlers: Handlers<ZoneContext, typeof filterOperations> = {
  'filters.create'(context, { body }) {
    const store = new FilterStore(context.sql);
    const filters = body.map((given, index) => {
      const expression = checkedExpression(given.expression, `/${index}`);
      const existing = store.withExpression(expression);
      if (existing !== undefined) {
        throw fault(filterCodes.filterDuplicate, { pointer: `/${index}`, id: existing.id });
      }
      const filter: Filter = { ...contentOf(given), expression, id: context.newId(), inlineRule: null };
      store.add(filter);
      context.audit({ resource: 'filter', id: filter.id, before: undefined, after: filterJson(filter) });
      return filterJson(filter);
    });
    return ok(filters);
  },

  'filters.list'(context, { query }) {
    const { page: number, per_page, ...conditions } = query;
    const store = new FilterStore(context.sql);
    const { total, filters } = store.find(conditions, { offset: (number - 1) * per_page, limit: per_page });
    return page(filters.map(filterJson), { page: number, per_page, total });
  },

  'filters.get'(context, { path }) {
    return ok(filterJson(existingFilter(new FilterStore(context.sql), path['filter_id']!)));
  },

  'filters.update'(context, { path, body }) {
    const id = path['filter_id']!;
    if (body.id !== undefined && body.id !== id)
      throw fault(filterCodes.filterIdMismatch, { pointer: '/id' });
    return ok(replace(context, id, body, ''));
  },

  'filters.updateMany'(context, { body }) {
    return ok(body.map((given, index) => replace(context, given.id, given, `/${index}`)));
  },

  'filters.delete'(context, { path }) {
    return ok(remove(context, path['filter_id']!));
  },

  'filters.deleteMany'(context, { query }) {
    return ok(query.id.map((id) => remove(context, id)));
  },
};

interface GivenContent {
  readonly expression: string;
  readonly paused?: boolean;
  readonly description?: string;
  readonly ref?: string;
}

function contentOf({ paused = false, description, ref }: GivenContent) {
  return { isPaused: paused, description: description || null, ref: ref || null };
}

function replace(context: ZoneContext, id: string, given: GivenContent, pointer: string): object {
  const store = new FilterStore(context.sql);
  const before = changeableFilter(store, id, pointer);
  const expression = checkedExpression(given.expression, pointer);
  const same = store.withExpression(expression);
  if (same !== undefined && same.id !== id)
    throw fault(filterCodes.filterDuplicate, { pointer, id: same.id });
  const after: Filter = { ...before, ...contentOf(given), expression };
  store.replace(after);
  context.audit({ resource: 'filter', id, before: filterJson(before), after: filterJson(after) });
  return filterJson(after);
}

/** A filter nobody has is as good as deleted. */
function remove(context: ZoneContext, id: string): object {
  const store = new FilterStore(context.sql);
  const before = store.get(id);
  if (before === undefined) return { id };
  changeableFilter(store, id, '');
  store.remove(id);
  context.audit({ resource: 'filter', id, before: filterJson(before), after: undefined });
  return { id };
}

function existingFilter(store: FilterStore, id: string, pointer?: string): Filter {
  const filter = store.get(id);
  if (filter === undefined) throw fault(filterCodes.filterNotFound, pointer === undefined ? {} : { pointer });
  return filter;
}

function changeableFilter(store: FilterStore, id: string, pointer: string): Filter {
  const filter = existingFilter(store, id, pointer);
  if (filter.inlineRule !== null) {
    throw fault(filterCodes.filterInline, { pointer, fill: { rule: filter.inlineRule } });
  }
  return filter;
}

function checkedExpression(source: string, pointer: string): string {
  const expression = source.trim();
  const parsed = parse(expression);
  if (!parsed.ok) {
    throw fault(filterCodes.filterInvalid, {
      pointer: `${pointer}/expression`,
      fill: { text: printDiagnostic(expression, parsed.error) },
    });
  }
  return expression;
}

/** In the order of the original. */
export function filterJson({ id, isPaused, description, ref, expression }: Filter): object {
  return {
    id,
    paused: isPaused,
    ...(description === null ? {} : { description }),
    ...(ref === null ? {} : { ref }),
    expression,
  };
}
