/** Replaces the items of a list with those of its source, and records the outcome. */
import { backOffMs } from '#base';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../context/handler.ts';
import { accept } from '../operations/lists/bulk-acceptance.ts';
import { readItem } from '../stores/lists/list-item.ts';
import { type ListSource, listSourceTable } from '../stores/lists/list-sources.ts';
import { ListStore } from '../stores/lists/list-store.ts';
import type { FetchedSource } from './fetch-source.ts';

/** A source that fails is retried earlier than its next regular read, with increasing delays. */
const retryMsMin = 60_000;
const failuresCounted = 10;

export function takeItems(
  context: Context,
  asked: ListSource,
  result: PromiseSettledResult<FetchedSource>,
): void {
  const { sql, nowMs } = context;
  const source = listSourceTable.get(sql, asked.id);
  const list = new ListStore(sql).get(asked.id);
  // It was deleted or changed meanwhile.
  if (source === undefined || list === undefined || source.url !== asked.url) return;
  if (result.status === 'rejected') {
    const failures = Math.min(source.failures + 1, failuresCounted);
    const retryMs = backOffMs(failures, { msMin: retryMsMin, msMax: source.intervalMs });
    const problem = String((result.reason as Error).message).slice(0, 500);
    listSourceTable.put(sql, { ...source, failures, dueMs: nowMs + retryMs, problem });
    return;
  }
  const { items, validators } = result.value;
  const fetched = {
    ...source,
    validators,
    fetchedAtMs: nowMs,
    dueMs: nowMs + source.intervalMs,
    failures: 0,
    problem: null,
  };
  const values = items
    ?.map((item) => readItem(list.kind, item))
    .flatMap((read) => (read.ok ? [read.item] : []));
  const wanted = values?.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ value }) => value);
  const isChanged = wanted !== undefined && !isDeepStrictEqual(new ListStore(sql).readValues(list), wanted);
  if (isChanged) accept(context, list, 'replace', items!);
  listSourceTable.put(sql, { ...fetched, ...(isChanged ? { changedAtMs: nowMs } : {}) });
}
