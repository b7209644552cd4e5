/** Accepts a bulk operation: the call checks and stages its items, and `list-tasks.ts` applies them. */
import { type ErrorEntry, entryOf, Fault, fault, listCodes } from '#contract';
import type { Context } from '../../context/handler.ts';
import { bulkOperationsOpenMax } from '../../context/limits.ts';
import { type BulkKind, BulkStore } from '../../stores/lists/bulk-store.ts';
import { type GivenItem, type ListItem, readItem } from '../../stores/lists/list-item.ts';
import type { List } from '../../stores/lists/list-store.ts';

/** One response reports at most this many errors. */
const mistakesMax = 20;

export function accept(
  context: Context,
  list: List,
  kind: Exclude<BulkKind, 'remove'>,
  given: readonly GivenItem[],
): { operation_id: string } {
  const items = checkItems(list, given);
  return begin(context, list, kind, given.length, (bulk, operation) => {
    for (const [index, item] of items.entries())
      bulk.stage(operation, context.newId(), item, given[index]!.comment ?? '');
  });
}

/** Removing an item that does not exist succeeds. */
export function acceptRemoval(
  context: Context,
  list: List,
  ids: readonly string[],
): { operation_id: string } {
  return begin(context, list, 'remove', ids.length, (bulk, operation) => {
    for (const id of ids) bulk.stageRemoval(operation, id);
  });
}

function begin(
  context: Context,
  list: List,
  kind: BulkKind,
  count: number,
  stage: (bulk: BulkStore, operation: number) => void,
): { operation_id: string } {
  const bulk = new BulkStore(context.sql);
  if (bulk.countOpen() >= bulkOperationsOpenMax)
    throw fault(listCodes.listOperationsPending, { fill: { max: bulkOperationsOpenMax } });
  const id = context.newId();
  stage(bulk, bulk.add({ id, list: list.sequence, kind }));
  context.audit({
    resource: 'bulk_operation',
    id,
    before: undefined,
    after: { list: list.id, kind, items: count },
  });
  context.schedule('lists.apply', { dueMs: context.nowMs, key: list.id });
  return { operation_id: id };
}

function checkItems({ kind }: List, given: readonly GivenItem[]): ListItem[] {
  const items: ListItem[] = [];
  const mistakes: ErrorEntry[] = [];
  for (const [index, each] of given.entries()) {
    const read = readItem(kind, each);
    if (read.ok) items.push(read.item);
    else {
      const pointer = read.field === '' ? `/${index}` : `/${index}/${read.field}`;
      mistakes.push(entryOf(listCodes.listItemInvalid, { pointer, fill: { reason: read.reason } }));
      if (mistakes.length === mistakesMax) break;
    }
  }
  if (mistakes.length > 0) throw new Fault(listCodes.listItemInvalid.status, mistakes);
  return items;
}
