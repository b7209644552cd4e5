/** What the page asks of objects. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi, get } from '../../api/client.ts';

export interface ObjectClass {
  readonly name: string;
  readonly storage: 'kv' | 'sql';
  readonly objects: number;
}

export interface ListedObject {
  readonly class: string;
  readonly id: string;
  readonly name?: string;
  readonly zone_name?: string;
  readonly bytes: number;
  readonly alarm_on?: string;
}

export interface StatefulObject extends ListedObject {
  readonly storage: 'kv' | 'sql';
  readonly bookmark?: string;
  readonly is_restorable: boolean;
}

export interface ObjectTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface ObjectValue {
  readonly key: string;
  readonly shown: string;
}

export type Cell = string | number | null;

export interface ObjectRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly has_more: boolean;
}

export interface HistoryPoint {
  readonly bookmark: string;
  readonly time: string;
  readonly kind: 'write' | 'restore' | 'import' | 'delete-all' | 'restore-requested';
  readonly bytes: number;
}

/** An object, and the account whose operations reach it. */
export interface Place {
  readonly accountId: string;
  readonly className: string;
  readonly object: string;
}

const perPage = 25;
export const pointsShown = 50;

export function pathOf({ accountId, className, object }: Place): string {
  return `/accounts/${accountId}/objects/${encodeURIComponent(className)}/${encodeURIComponent(object)}`;
}

/** Everything that is known about an object is asked again under this key. */
export function keyOf({ className, object }: Place): readonly string[] {
  return ['objects', className, object];
}

export function classesQuery(accountId: string) {
  return queryOptions({
    queryKey: ['objects', 'classes', accountId],
    queryFn: ({ signal }) => get<readonly ObjectClass[]>(`/accounts/${accountId}/objects`, { signal }),
  });
}

export function listQuery(accountId: string, className: string, search: string, page: number) {
  return queryOptions({
    queryKey: ['objects', 'list', accountId, className, search, page],
    queryFn: async ({ signal }) => {
      const path = `/accounts/${accountId}/objects/${encodeURIComponent(className)}`;
      const query = { search, page, per_page: perPage };
      const { result, result_info } = await callApi<readonly ListedObject[]>('GET', path, { query, signal });
      return { objects: result, total: result_info?.total_count ?? 0, pages: result_info?.total_pages ?? 1 };
    },
    placeholderData: keepPreviousData,
  });
}

export function objectQuery(place: Place) {
  return queryOptions({
    queryKey: [...keyOf(place), 'object'],
    queryFn: ({ signal }) => get<StatefulObject>(pathOf(place), { signal }),
  });
}

export function tablesQuery(place: Place, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(place), 'tables', at],
    queryFn: ({ signal }) =>
      get<readonly ObjectTable[]>(`${pathOf(place)}/tables`, { query: { at }, signal }),
  });
}

export function valuesQuery(place: Place, prefix: string, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(place), 'values', prefix, at],
    queryFn: ({ signal }) =>
      get<readonly ObjectValue[]>(`${pathOf(place)}/values`, { query: { prefix, at, limit: 200 }, signal }),
    placeholderData: keepPreviousData,
  });
}

export async function askSql(place: Place, sql: string, at: string | undefined): Promise<ObjectRows> {
  const body = { sql, limit: 200, ...(at === undefined ? {} : { at }) };
  return (await callApi<ObjectRows>('POST', `${pathOf(place)}/query`, { body })).result;
}

/** The first rows of a table. */
export function rowsQuery(place: Place, table: string, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(place), 'rows', table, at],
    queryFn: () => askSql(place, `SELECT * FROM "${table.replaceAll('"', '""')}"`, at),
  });
}

export function historyQuery(place: Place, limit: number, before: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(place), 'history', limit, before],
    queryFn: ({ signal }) =>
      get<readonly HistoryPoint[]>(`${pathOf(place)}/history`, { query: { limit, before }, signal }),
    placeholderData: keepPreviousData,
  });
}

export async function restore(place: Place, bookmark: string, confirm: string): Promise<string> {
  const { result } = await callApi<{ readonly undo: string }>('POST', `${pathOf(place)}/restore`, {
    body: { bookmark, confirm },
  });
  return result.undo;
}
