/** Background tasks of the account on lists. */
import type { Context, Tasks } from '../../context/handler.ts';
import { listItemsMax } from '../../context/limits.ts';
import { type BulkOperation, BulkStore } from '../../stores/lists/bulk-store.ts';
import { type List, ListStore } from '../../stores/lists/list-store.ts';

export const listTasks: Tasks<Context> = {
  /**
   * Advances the list's oldest open operation by one step: one turn starts it, a later turn applies it. Then the next
   * operation follows.
   */
  'lists.apply'(context, listId) {
    const bulk = new BulkStore(context.sql);
    const list = new ListStore(context.sql).get(listId);
    const operation = list && bulk.findNext(list.sequence);
    if (list === undefined || operation === undefined) return;
    if (operation.status === 'pending') bulk.start(operation);
    else {
      bulk.finish(operation, context.nowMs, applyOperation(context, list, operation));
      if (bulk.findNext(list.sequence) === undefined) return;
    }
    // Lets other events of the object run in between.
    context.schedule('lists.apply', { dueMs: context.nowMs + 1, key: listId });
  },
};

/** Returns null, or the reason why nothing was applied. */
function applyOperation(context: Context, list: List, operation: BulkOperation): string | null {
  const bulk = new BulkStore(context.sql);
  const excess = bulk.countExcess(operation);
  if (excess > 0) return `the lists of an account have at most ${listItemsMax} items: ${excess} too many`;
  bulk.apply(operation, context.nowMs);
  const store = new ListStore(context.sql);
  store.touch(list.id, context.nowMs);
  const shown = (count: number): object => ({ num_items: count, bulk_operation: operation.id });
  const { itemCount } = store.get(list.id)!;
  context.audit({ resource: 'list', id: list.id, before: shown(list.itemCount), after: shown(itemCount) });
  return null;
}
