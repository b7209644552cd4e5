/** Queries that several pages share. */
import { queryOptions } from '@tanstack/react-query';
import { client, collect, resultOf } from './client.ts';

export const zonesQuery = queryOptions({
  queryKey: ['zones'],
  queryFn: ({ signal }) => collect(client.list('/zones', { signal })),
});

export function zoneQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId],
    queryFn: ({ signal }) => resultOf(client.get('/zones/{zone_id}', { zone_id: zoneId, signal })),
  });
}

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await resultOf(client.get('/accounts', { signal })))[0]!,
});

export const userQuery = queryOptions({
  queryKey: ['user'],
  queryFn: ({ signal }) => resultOf(client.get('/user', { signal })),
});
