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
  /** What has to be typed to change it. */
  readonly confirm: string;
  readonly is_restorable: boolean;
  readonly is_writable: boolean;
  readonly write_refusal?: string;
  readonly can_run_alarm: boolean;
  readonly can_cancel_alarm: boolean;
}

export interface ObjectAlarm {
  readonly class: string;
  readonly id: string;
  readonly name?: string;
  readonly zone_name?: string;
  readonly alarm_on: string;
  readonly can_run_alarm: boolean;
  readonly can_cancel_alarm: boolean;
}

export interface ObjectTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface ObjectValue {
  readonly key: string;
  readonly type: string;
  readonly bytes: number;
  readonly shown: string;
}

export interface WholeValue extends ObjectValue {
  readonly version: string;
  readonly json?: string;
}

export type Cell = string | number | null;

export interface ObjectRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  readonly has_more: boolean;
}

export interface Executed extends ObjectRows {
  readonly rows_written: number;
  readonly undo: string;
}

export interface AlarmRun {
  readonly outcome: 'completed' | 'failed' | 'skipped';
  readonly error?: string;
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

/** An object as paths name it: names that cannot stand in a path give way to the id. */
export function toPathName({ name, id }: { readonly name?: string; readonly id: string }): string {
  return name !== undefined && /^\w[\w-]{0,127}$/.test(name) && !/^[0-9a-f]{64}$/i.test(name) ? name : id;
}

const perPage = 25;
export const valuesPerPage = 200;
const rowsShown = 1000;
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

/** The first `limit` values: a thousand with each call. */
export function valuesQuery(place: Place, prefix: string, at: string | undefined, limit: number) {
  return queryOptions({
    queryKey: [...keyOf(place), 'values', prefix, at, limit],
    async queryFn({ signal }) {
      const values: ObjectValue[] = [];
      while (values.length < limit) {
        const asked = Math.min(limit - values.length, 1000);
        const query = { prefix, at, limit: asked, after: values.at(-1)?.key };
        const more = await get<readonly ObjectValue[]>(`${pathOf(place)}/values`, { query, signal });
        values.push(...more);
        if (more.length < asked) break;
      }
      return values;
    },
    placeholderData: keepPreviousData,
  });
}

export function valueQuery(place: Place, key: string) {
  return queryOptions({
    queryKey: [...keyOf(place), 'value', key],
    queryFn: ({ signal }) => get<WholeValue>(`${pathOf(place)}/value`, { query: { key }, signal }),
    // What is edited must be what is stored now.
    staleTime: 0,
    gcTime: 0,
  });
}

export interface ValueChange {
  readonly key: string;
  readonly value: string;
  readonly version: string;
  readonly confirm: string;
}

export async function putValue(place: Place, body: ValueChange): Promise<void> {
  await callApi('PUT', `${pathOf(place)}/value`, { body });
}

export async function deleteValue(place: Place, query: Omit<ValueChange, 'value'>): Promise<void> {
  await callApi('DELETE', `${pathOf(place)}/value`, { query: { ...query } });
}

export async function executeSql(place: Place, sql: string, confirm: string): Promise<Executed> {
  const body = { sql, confirm, limit: rowsShown };
  return (await callApi<Executed>('POST', `${pathOf(place)}/execute`, { body })).result;
}

export function alarmsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['objects', 'alarms', accountId],
    queryFn: ({ signal }) =>
      get<readonly ObjectAlarm[]>(`/accounts/${accountId}/object_alarms`, { query: { limit: 200 }, signal }),
  });
}

export async function runAlarm(place: Place): Promise<AlarmRun> {
  return (await callApi<AlarmRun>('POST', `${pathOf(place)}/alarm`)).result;
}

export async function cancelAlarm(place: Place): Promise<void> {
  await callApi('DELETE', `${pathOf(place)}/alarm`);
}

export async function askSql(place: Place, sql: string, at: string | undefined): Promise<ObjectRows> {
  const body = { sql, limit: rowsShown, ...(at === undefined ? {} : { at }) };
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
