import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';

export interface ZoneSetting {
  readonly id: string;
  readonly value: unknown;
  readonly editable: boolean;
}

export function settingsQuery(zoneId: string) {
  return queryOptions({
    queryKey: ['settings', zoneId],
    queryFn: ({ signal }) => get<readonly ZoneSetting[]>(`/zones/${zoneId}/settings`, { signal }),
  });
}
