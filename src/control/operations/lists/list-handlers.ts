/** Operations on lists. Zones were asked how often they name a list before: `list-reference-handlers.ts`. */
import {
  created,
  cursorPage,
  fault,
  genericCodes,
  type Input,
  listCodes,
  type listOperations,
  ok,
} from '#api';
import type { Context, Handlers } from '../../context/handler.ts';
import { listsMax } from '../../context/limits.ts';
import { accept, acceptRemoval } from './bulk-acceptance.ts';
import { BulkStore } from '../../stores/lists/bulk-store.ts';
import { type ItemCursor, readCursor, writeCursor } from '../../stores/lists/item-cursor.ts';
import { bulkOperationJson, itemJson, listJson } from './list-json.ts';
import { type CountedInput, countOf, referencesInAccount } from '../../stores/list-references.ts';
import { type List, ListStore, type StoredItem } from '../../stores/lists/list-store.ts';

export const listHandlers: Handlers<Context, typeof listOperations> = {
  'lists.create'(context, { body }) {
    const { name, kind, description = '' } = body;
    const store = new ListStore(context.sql);
    const same = store.named(name);
    if (same !== undefined)
      throw fault(listCodes.listNameTaken, { pointer: '/name', id: same.id, fill: { list: name } });
    const plan = context.directory.largestPlan;
    if ((kind === 'hostname' || kind === 'asn') && plan !== 'enterprise')
      throw fault(listCodes.listNotEntitled, { pointer: '/kind', fill: { kind, plan: 'enterprise' } });
    if (store.all().length >= listsMax[plan])
      throw fault(listCodes.listQuotaExceeded, { fill: { max: listsMax[plan] } });
    const id = context.newId();
    store.add({ id, name, kind, description, createdAtMs: context.nowMs });
    const list = listJson(store.get(id)!, 0);
    context.audit({ resource: 'list', id, before: undefined, after: list });
    return ok(list);
  },

  'lists.list'(context, input) {
    return ok(shown(context, new ListStore(context.sql).all(), input));
  },

  'lists.get'(context, input) {
    return ok(shownOne(context, existingList(context, input), input));
  },

  'lists.update'(context, input) {
    const before = existingList(context, input);
    if (input.body.description === undefined) return ok(shownOne(context, before, input));
    const store = new ListStore(context.sql);
    store.describe(before.id, input.body.description, context.nowMs);
    const after = shownOne(context, store.get(before.id)!, input);
    context.audit({ resource: 'list', id: before.id, before: shownOne(context, before, input), after });
    return ok(after);
  },

  'lists.delete'(context, input) {
    const list = existingList(context, input);
    // While the directory shows it, an expression can begin to name it.
    if (context.directory.lists.has(list.name)) throw fault(listCodes.listDeletionInterrupted);
    const count = countOf(referencesInAccount(context.sql, [list.name]), list.name);
    if (count > 0) throw fault(listCodes.listInUse, { id: list.id, fill: { count, list: list.name } });
    const bulk = new BulkStore(context.sql);
    for (let open = bulk.nextOf(list.sequence); open !== undefined; open = bulk.nextOf(list.sequence))
      bulk.finish(open, context.nowMs, 'the list was deleted');
    new ListStore(context.sql).remove(list);
    context.audit({ resource: 'list', id: list.id, before: listJson(list, 0), after: undefined });
    return ok({ id: list.id });
  },

  'lists.listItems'(context, input) {
    const { cursor: text, per_page, search } = input.query;
    const list = existingList(context, input);
    const cursor = text === undefined || text === '' ? undefined : checkedCursor(text);
    // One more than asked for tells whether there are more.
    const items = new ListStore(context.sql).items(list, { cursor, limit: per_page + 1, search });
    const isBackward = cursor?.direction === 'before';
    const hasMore = items.length > per_page;
    const shown = hasMore ? (isBackward ? items.slice(1) : items.slice(0, -1)) : items;
    return cursorPage(shown.map(itemJson), {
      before: cursorAt('before', shown[0], isBackward ? hasMore : cursor !== undefined),
      after: cursorAt('after', shown.at(-1), isBackward || hasMore),
    });
  },

  'lists.getItem'(context, input) {
    const id = input.path['item_id']!;
    const item = new ListStore(context.sql).item(existingList(context, input), id);
    if (item === undefined) throw fault(listCodes.listItemNotFound, { fill: { item: id } });
    return ok(itemJson(item));
  },

  'lists.appendItems'(context, input) {
    return created(accept(context, existingList(context, input), 'append', input.body));
  },

  'lists.replaceItems'(context, input) {
    return created(accept(context, existingList(context, input), 'replace', input.body));
  },

  'lists.removeItems'(context, input) {
    const ids = input.body.items.map(({ id }) => id);
    return created(acceptRemoval(context, existingList(context, input), ids));
  },

  'lists.getBulkOperation'(context, { path }) {
    const id = path['operation_id']!;
    const operation = new BulkStore(context.sql).get(id);
    if (operation === undefined) throw fault(listCodes.listOperationNotFound, { fill: { operation: id } });
    return ok(bulkOperationJson(operation));
  },
};

function existingList({ sql }: Context, { path }: Pick<Input, 'path'>): List {
  const id = path['list_id']!;
  const list = new ListStore(sql).get(id);
  if (list === undefined) throw fault(listCodes.listNotFound, { fill: { list: id } });
  return list;
}

/** Calls come with how often zones name each list, which the account cannot ask; the rest is its own. */
function shown({ sql }: Context, lists: readonly List[], { references = {} }: CountedInput): object[] {
  const names = lists.map(({ name }) => name);
  const own = referencesInAccount(sql, names);
  return lists.map((list) => listJson(list, countOf(references, list.name) + countOf(own, list.name)));
}

function shownOne(context: Context, list: List, input: CountedInput): object {
  return shown(context, [list], input)[0]!;
}

function checkedCursor(text: string): ItemCursor {
  const cursor = readCursor(text);
  if (cursor !== undefined) return cursor;
  throw fault(genericCodes.invalidQuery, {
    fill: { api: 'filters', reason: 'cursor must be one that was given' },
  });
}

function cursorAt(
  direction: ItemCursor['direction'],
  item: StoredItem | undefined,
  isThere: boolean,
): string | undefined {
  return item === undefined || !isThere ? undefined : writeCursor({ direction, key: item.key });
}
