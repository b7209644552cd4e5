/**
 * Operations on lists. `list-reference-handlers.ts` has already collected from the zones how often they name each list.
 */
import {
  created,
  cursorPage,
  fault,
  genericCodes,
  type IdsOf,
  type Input,
  listCodes,
  ok,
  type Result,
} from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { listsMax } from '../../context/limits.ts';
import { accept, acceptRemoval } from './bulk-acceptance.ts';
import { BulkStore } from '../../stores/lists/bulk-store.ts';
import { type ItemCursor, readCursor, writeCursor } from '../../stores/lists/item-cursor.ts';
import { toBulkOperationJson, toItemJson, toListJson } from './list-json.ts';
import { getCount, countReferencesInAccount } from '../../stores/lists/list-references.ts';
import { type List, ListStore, type StoredItem } from '../../stores/lists/list-store.ts';

export const listHandlers: Handlers<Context, Exclude<IdsOf<'lists'>, 'lists.listUses'>> = {
  'lists.create'(context, { body }) {
    const { name, kind, description = '' } = body;
    const store = new ListStore(context.sql);
    const same = store.findByName(name);
    if (same !== undefined)
      throw fault(listCodes.listNameTaken, { pointer: '/name', id: same.id, fill: { list: name } });
    const plan = context.directory.largestPlan;
    if ((kind === 'hostname' || kind === 'asn') && plan !== 'enterprise')
      throw fault(listCodes.listNotEntitled, { pointer: '/kind', fill: { kind, plan: 'enterprise' } });
    if (store.listAll().length >= listsMax[plan])
      throw fault(listCodes.listQuotaExceeded, { fill: { max: listsMax[plan] } });
    const id = context.newId();
    store.add({ id, name, kind, description, createdAtMs: context.nowMs });
    const list = toListJson(store.get(id)!, 0);
    context.audit({ resource: 'list', id, before: undefined, after: list });
    return ok(list);
  },

  'lists.list'(context) {
    return ok(toListsJson(context, new ListStore(context.sql).listAll()));
  },

  'lists.get'(context, input) {
    return ok(toOneListJson(context, requireList(context, input)));
  },

  'lists.update'(context, input) {
    const before = requireList(context, input);
    for (const field of ['name', 'kind'] as const) {
      const { [field]: wanted = before[field] } = input.body;
      if (wanted === before[field]) continue;
      const reason = `${field} must be left out: the ${field} of a list cannot be changed`;
      throw fault(genericCodes.invalidJson, { pointer: `/${field}`, fill: { api: 'filters', reason } });
    }
    if (input.body.description === undefined) return ok(toOneListJson(context, before));
    const store = new ListStore(context.sql);
    store.describe(before.id, input.body.description, context.nowMs);
    const after = toOneListJson(context, store.get(before.id)!);
    context.audit({ resource: 'list', id: before.id, before: toOneListJson(context, before), after });
    return ok(after);
  },

  'lists.delete'(context, input) {
    const list = requireList(context, input);
    // While the directory shows the list, a new expression can name it.
    if (context.directory.lists.has(list.name)) throw fault(listCodes.listDeletionInterrupted);
    const count = getCount(countReferencesInAccount(context.sql, [list.name]), list.name);
    if (count > 0) throw fault(listCodes.listInUse, { id: list.id, fill: { count, list: list.name } });
    const bulk = new BulkStore(context.sql);
    for (let open = bulk.findNext(list.sequence); open !== undefined; open = bulk.findNext(list.sequence))
      bulk.finish(open, context.nowMs, 'the list was deleted');
    new ListStore(context.sql).remove(list);
    context.audit({ resource: 'list', id: list.id, before: toListJson(list, 0), after: undefined });
    return ok({ id: list.id });
  },

  'lists.listItems'(context, input) {
    const { cursor: text, per_page, search } = input.query;
    const list = requireList(context, input);
    const cursor = text === undefined || text === '' ? undefined : checkCursor(text);
    // One item more than requested shows whether there are more.
    const items = new ListStore(context.sql).findItems(list, { cursor, limit: per_page + 1, search });
    const isBackward = cursor?.direction === 'before';
    const hasMore = items.length > per_page;
    const shown = hasMore ? (isBackward ? items.slice(1) : items.slice(0, -1)) : items;
    return cursorPage(shown.map(toItemJson), {
      before: createCursor('before', shown[0], isBackward ? hasMore : cursor !== undefined),
      after: createCursor('after', shown.at(-1), isBackward || hasMore),
    });
  },

  'lists.getItem'(context, input) {
    const id = input.path['item_id']!;
    const item = new ListStore(context.sql).getItem(requireList(context, input), id);
    if (item === undefined) throw fault(listCodes.listItemNotFound, { fill: { item: id } });
    return ok(toItemJson(item));
  },

  'lists.appendItems'(context, input) {
    return created(accept(context, requireList(context, input), 'append', input.body));
  },

  'lists.replaceItems'(context, input) {
    return created(accept(context, requireList(context, input), 'replace', input.body));
  },

  'lists.removeItems'(context, input) {
    const ids = input.body.items.map(({ id }) => id);
    return created(acceptRemoval(context, requireList(context, input), ids));
  },

  'lists.getBulkOperation'(context, { path }) {
    const id = path['operation_id']!;
    const operation = new BulkStore(context.sql).get(id);
    if (operation === undefined) throw fault(listCodes.listOperationNotFound, { fill: { operation: id } });
    return ok(toBulkOperationJson(operation));
  },
};

function requireList({ sql }: Context, { path }: Pick<Input, 'path'>): List {
  const id = path['list_id']!;
  const list = new ListStore(sql).get(id);
  if (list === undefined) throw fault(listCodes.listNotFound, { fill: { list: id } });
  return list;
}

/** The account adds its own references to those of zones. */
function toListsJson({ sql, listReferences }: Context, lists: readonly List[]): Result<'lists.list'> {
  const names = lists.map(({ name }) => name);
  const own = countReferencesInAccount(sql, names);
  return lists.map((list) =>
    toListJson(list, getCount(listReferences, list.name) + getCount(own, list.name)),
  );
}

function toOneListJson(context: Context, list: List): Result<'lists.get'> {
  return toListsJson(context, [list])[0]!;
}

function checkCursor(text: string): ItemCursor {
  const cursor = readCursor(text);
  if (cursor !== undefined) return cursor;
  throw fault(genericCodes.invalidQuery, {
    fill: { api: 'filters', reason: 'cursor must come from a previous response' },
  });
}

function createCursor(
  direction: ItemCursor['direction'],
  item: StoredItem | undefined,
  isThere: boolean,
): string | undefined {
  return item === undefined || !isThere ? undefined : writeCursor({ direction, key: item.key });
}
