/** Queries of several pages. The routes load the account and the zone before their pages, which can rely on them. */
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { client, resultOf } from './client.ts';
import { read, readAll } from './read.ts';
import type { Zone } from './types.ts';

export const zonesQuery = readAll('/zones');
export const userQuery = read('/user');

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await resultOf(client.get('/accounts', { signal })))[0]!,
});

export function zoneQuery(zoneId: string) {
  return read('/zones/{zone_id}', { zone_id: zoneId });
}

export function useAccountId(): string {
  return useSuspenseQuery(accountQuery).data.id;
}

/** The zone of the open pages. */
export function useZoneId(): string {
  return useParams({ strict: false }).zoneId!;
}

export function useZone(): Zone {
  return useSuspenseQuery(zoneQuery(useZoneId())).data;
}
