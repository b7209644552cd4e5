/** What the page asks of objects. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { fillPath, type Result } from '#client';
import { client, resultOf } from '../../api/client.ts';

export type ObjectClass = Result<'objects.listClasses'>[number];
export type ListedObject = Result<'objects.list'>[number];
export type StatefulObject = Result<'objects.get'>;
export type ObjectAlarm = Result<'objects.listAlarms'>[number];
export type ObjectTable = Result<'objects.listTables'>[number];
export type ObjectValue = Result<'objects.listValues'>[number];
export type WholeValue = Result<'objects.getValue'>;
export type Cell = ObjectRows['rows'][number][number];
export type ObjectRows = Result<'objects.query'>;
export type Executed = Result<'objects.execute'>;
export type AlarmRun = Result<'objects.runAlarm'>;
export type HistoryPoint = Result<'objects.listHistory'>[number];

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

/** As the operations name it. */
export function namesOf({ accountId, className, object }: Place) {
  return { account_id: accountId, class_name: className, object };
}

/** What the browser keeps of an object is kept under its path. */
export function pathOf(place: Place): string {
  return fillPath('/accounts/{account_id}/objects/{class_name}/{object}', namesOf(place));
}

/** Everything that is known about an object is asked again under this key. */
export function keyOf({ className, object }: Place): readonly string[] {
  return ['objects', className, object];
}

export function classesQuery(accountId: string) {
  return queryOptions({
    queryKey: ['objects', 'classes', accountId],
    queryFn: ({ signal }) =>
      resultOf(client.get('/accounts/{account_id}/objects', { account_id: accountId, signal })),
  });
}

export function listQuery(accountId: string, className: string, search: string, page: number) {
  return queryOptions({
    queryKey: ['objects', 'list', accountId, className, search, page],
    queryFn: async ({ signal }) => {
      const query = { search, page, per_page: perPage };
      const { result, result_info } = await client.get('/accounts/{account_id}/objects/{class_name}', {
        account_id: accountId,
        class_name: className,
        query,
        signal,
      });
      return { objects: result, total: result_info?.total_count ?? 0, pages: result_info?.total_pages ?? 1 };
    },
    placeholderData: keepPreviousData,
  });
}

export function objectQuery(place: Place) {
  return queryOptions({
    queryKey: [...keyOf(place), 'object'],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/accounts/{account_id}/objects/{class_name}/{object}', { ...namesOf(place), signal }),
      ),
  });
}

export function tablesQuery(place: Place, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(place), 'tables', at],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/accounts/{account_id}/objects/{class_name}/{object}/tables', {
          ...namesOf(place),
          query: { at },
          signal,
        }),
      ),
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
        const more = await resultOf(
          client.get('/accounts/{account_id}/objects/{class_name}/{object}/values', {
            ...namesOf(place),
            query,
            signal,
          }),
        );
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
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/accounts/{account_id}/objects/{class_name}/{object}/value', {
          ...namesOf(place),
          query: { key },
          signal,
        }),
      ),
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
  await client.put('/accounts/{account_id}/objects/{class_name}/{object}/value', { ...namesOf(place), body });
}

export async function deleteValue(place: Place, query: Omit<ValueChange, 'value'>): Promise<void> {
  await client.delete('/accounts/{account_id}/objects/{class_name}/{object}/value', {
    ...namesOf(place),
    query: { ...query },
  });
}

export async function executeSql(place: Place, sql: string, confirm: string): Promise<Executed> {
  const body = { sql, confirm, limit: rowsShown };
  return (
    await client.post('/accounts/{account_id}/objects/{class_name}/{object}/execute', {
      ...namesOf(place),
      body,
    })
  ).result;
}

export function alarmsQuery(accountId: string) {
  return queryOptions({
    queryKey: ['objects', 'alarms', accountId],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/accounts/{account_id}/object_alarms', {
          account_id: accountId,
          query: { limit: 200 },
          signal,
        }),
      ),
  });
}

export async function runAlarm(place: Place): Promise<AlarmRun> {
  return (
    await client.post('/accounts/{account_id}/objects/{class_name}/{object}/alarm', { ...namesOf(place) })
  ).result;
}

export async function cancelAlarm(place: Place): Promise<void> {
  await client.delete('/accounts/{account_id}/objects/{class_name}/{object}/alarm', { ...namesOf(place) });
}

export async function askSql(place: Place, sql: string, at: string | undefined): Promise<ObjectRows> {
  const body = { sql, limit: rowsShown, ...(at === undefined ? {} : { at }) };
  return (
    await client.post('/accounts/{account_id}/objects/{class_name}/{object}/query', {
      ...namesOf(place),
      body,
    })
  ).result;
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
      resultOf(
        client.get('/accounts/{account_id}/objects/{class_name}/{object}/history', {
          ...namesOf(place),
          query: { limit, before },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
}

export async function restore(place: Place, bookmark: string, confirm: string): Promise<string> {
  const { result } = await client.post('/accounts/{account_id}/objects/{class_name}/{object}/restore', {
    ...namesOf(place),
    body: { bookmark, confirm },
  });
  return result.undo;
}
