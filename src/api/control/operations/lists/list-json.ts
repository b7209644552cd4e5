/** Lists as the API shows them. */
import type { Result } from '#contract';
import { toSeconds } from '../../context/timestamps.ts';
import type { BulkOperation } from '../../stores/lists/bulk-store.ts';
import type { List, StoredItem } from '../../stores/lists/list-store.ts';

export function toListJson(list: List, referenceCount: number): Result<'lists.get'> {
  const { id, name, kind, description } = list;
  return {
    id,
    name,
    ...(description === '' ? {} : { description }),
    kind,
    num_items: list.itemCount,
    num_referencing_filters: referenceCount,
    created_on: toSeconds(list.createdAtMs),
    modified_on: toSeconds(list.modifiedAtMs),
  };
}

export function toItemJson({
  id,
  value,
  comment,
  createdAtMs,
  modifiedAtMs,
}: StoredItem): Result<'lists.getItem'> {
  return {
    id,
    ...value,
    ...(comment === '' ? {} : { comment }),
    created_on: toSeconds(createdAtMs),
    modified_on: toSeconds(modifiedAtMs),
  };
}

export function toBulkOperationJson({
  id,
  status,
  error,
  completedAtMs,
}: BulkOperation): Result<'lists.getBulkOperation'> {
  return {
    id,
    status,
    ...(completedAtMs === null ? {} : { completed: toSeconds(completedAtMs) }),
    ...(error === null ? {} : { error }),
  };
}
