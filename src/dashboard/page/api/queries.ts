/** Queries that several pages share. */
import { queryOptions } from '@tanstack/react-query';
import { get } from './client.ts';
import { getAll } from './get-all.ts';
import type { Account, User, Zone } from './types.ts';

export const zonesQuery = queryOptions({
  queryKey: ['zones'],
  queryFn: ({ signal }) => getAll<Zone>('/zones', { signal }),
});

export function zoneQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId],
    queryFn: ({ signal }) => get<Zone>(`/zones/${zoneId}`, { signal }),
  });
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await get<readonly Account[]>('/accounts', { signal }))[0]!,
});

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => get<User>('/user', { signal }),
});
