import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';

export type ZoneSetting = Result<'settings.list'>[number];

export function settingsQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['settings', zoneId],
    queryFn: ({ signal }) => resultOf(client.get('/zones/{zone_id}/settings', { zone_id: zoneId, signal })),
  });
}
