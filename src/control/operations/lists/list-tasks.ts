/** What the account does with lists of its own accord. */
import type { Context, Tasks } from '../../context/handler.ts';
import { listItemsMax } from '../../context/limits.ts';
import { type BulkOperation, BulkStore } from '../../stores/lists/bulk-store.ts';
import { type List, ListStore } from '../../stores/lists/list-store.ts';

export const listTasks: Tasks<Context> = {
  /** One step of the list's oldest open operation: it starts, and in another turn it is done. Then comes the next one. */
  'lists.apply'(context, listId) {
    const bulk = new BulkStore(context.sql);
    const list = new ListStore(context.sql).get(listId);
    const operation = list && bulk.nextOf(list.sequence);
    if (list === undefined || operation === undefined) return;
    if (operation.status === 'pending') bulk.start(operation);
    else {
      bulk.finish(operation, context.nowMs, applied(context, list, operation));
      if (bulk.nextOf(list.sequence) === undefined) return;
    }
    // Others have their turn in between.
    context.later('lists.apply', { dueMs: context.nowMs + 1, key: listId });
  },
};

/** Null, or why nothing was done. */
function applied(context: Context, list: List, operation: BulkOperation): string | null {
  const bulk = new BulkStore(context.sql);
  const excess = bulk.excessAfter(operation);
  if (excess > 0) return `the lists of an account have at most ${listItemsMax} items: ${excess} too many`;
  bulk.apply(operation, context.nowMs);
  const store = new ListStore(context.sql);
  store.touch(list.id, context.nowMs);
  const shown = (count: number): object => ({ num_items: count, bulk_operation: operation.id });
  const { itemCount } = store.get(list.id)!;
  context.audit({ resource: 'list', id: list.id, before: shown(list.itemCount), after: shown(itemCount) });
  return null;
}
