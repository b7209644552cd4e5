/** The queries of the page about objects. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { fillPath, type Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import { useAccountId } from '../../api/queries.ts';
import { keyOf, read } from '../../api/read.ts';

export type ObjectClass = Result<'objects.listClasses'>[number];
export type ListedObject = Result<'objects.list'>[number];
export type StatefulObject = Result<'objects.get'>;
export type ObjectAlarm = Result<'objects.listAlarms'>[number];
export type ObjectTable = Result<'objects.listTables'>[number];
export type ObjectValue = Result<'objects.listValues'>[number];
export type WholeValue = Result<'objects.getValue'>;
export type ObjectRows = Result<'objects.query'>;
export type Executed = Result<'objects.execute'>;
export type HistoryPoint = Result<'objects.listHistory'>[number];

/** The names of an object in calls. */
export interface ShownObjectPlace {
  readonly account_id: string;
  readonly class_name: string;
  readonly object: string;
}

export const objectPath = '/accounts/{account_id}/objects/{class_name}/{object}';

/** The object in the URL. */
export function usePlace(): ShownObjectPlace {
  const { class: class_name = '', object = '' } = useSearch({ from: '/signed-in/account/objects' });
  return { account_id: useAccountId(), class_name, object };
}

/** The URL of an object, and of the shown parts of it. */
export function searchFor(
  { class_name, object }: ShownObjectPlace,
  more: { view?: string; at?: string; undo?: string } = {},
) {
  return { class: class_name, object, ...more };
}

/** An object in paths: names that cannot be in a path are replaced by the id. */
export function toPathName({ name, id }: { readonly name?: string; readonly id: string }): string {
  return name !== undefined && /^\w[\w-]{0,127}$/.test(name) && !/^[0-9a-f]{64}$/i.test(name) ? name : id;
}

/** The name of an object for users. */
export function nameOf({ zone_name, name, id }: ListedObject | ObjectAlarm): string {
  return zone_name ?? name ?? `${id.slice(0, 12)}…`;
}

const perPage = 25;
export const valuesPerPage = 200;
const rowsShown = 1000;
export const pointsShown = 50;

/** The browser stores data about an object under its path. */
export function pathOf(place: ShownObjectPlace): string {
  return fillPath(objectPath, { ...place });
}

export function listQuery(account_id: string, class_name: string, search: string, page: number) {
  const path = '/accounts/{account_id}/objects/{class_name}';
  const input = { account_id, class_name, query: { search, page, per_page: perPage } };
  return queryOptions({
    queryKey: [...keyOf(path, input), 'page'],
    queryFn: async ({ signal }) => {
      const { result, result_info } = await client.get(path, { ...input, signal });
      return { objects: result, total: result_info?.total_count ?? 0, pages: result_info?.total_pages ?? 1 };
    },
    placeholderData: keepPreviousData,
  });
}

export function alarmsQuery(account_id: string) {
  return read('/accounts/{account_id}/object_alarms', { account_id, query: { limit: 200 } });
}

export function tablesQuery(place: ShownObjectPlace, at: string | undefined) {
  return read(`${objectPath}/tables`, { ...place, query: { at } });
}

/** The first `limit` values, a thousand per call. */
export function valuesQuery(place: ShownObjectPlace, prefix: string, at: string | undefined, limit: number) {
  const path = `${objectPath}/values` as const;
  return queryOptions({
    queryKey: [...keyOf(path, { ...place, query: { prefix, at, limit } }), 'all'],
    async queryFn({ signal }) {
      const values: ObjectValue[] = [];
      while (values.length < limit) {
        const asked = Math.min(limit - values.length, 1000);
        const query = { prefix, at, limit: asked, after: values.at(-1)?.key };
        const more = await resultOf(client.get(path, { ...place, query, signal }));
        values.push(...more);
        if (more.length < asked) break;
      }
      return values;
    },
    placeholderData: keepPreviousData,
  });
}

export async function askSql(
  place: ShownObjectPlace,
  sql: string,
  at: string | undefined,
): Promise<ObjectRows> {
  const body = { sql, limit: rowsShown, ...(at === undefined ? {} : { at }) };
  return resultOf(client.post(`${objectPath}/query`, { ...place, body }));
}

export async function executeSql(place: ShownObjectPlace, sql: string, confirm: string): Promise<Executed> {
  return resultOf(
    client.post(`${objectPath}/execute`, { ...place, body: { sql, confirm, limit: rowsShown } }),
  );
}

/** The first rows of a table. */
export function rowsQuery(place: ShownObjectPlace, table: string, at: string | undefined) {
  return queryOptions({
    queryKey: [...keyOf(objectPath, place), 'rows', table, at],
    queryFn: () => askSql(place, `SELECT * FROM "${table.replaceAll('"', '""')}"`, at),
    retry: false,
  });
}

export async function restore(place: ShownObjectPlace, bookmark: string, confirm: string): Promise<string> {
  const { undo } = await resultOf(
    client.post(`${objectPath}/restore`, { ...place, body: { bookmark, confirm } }),
  );
  return undo;
}
