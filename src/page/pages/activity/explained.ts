/** An event with the reasons for it, as the API explains it. */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import type { JudgedRule } from '../../api/types.ts';

export type Explained = Result<'security.explain'>;

export function explainQuery(zoneId: string, eventId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'explain', eventId],
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/zones/{zone_id}/security/events/{event_id}/explain', {
          zone_id: zoneId,
          event_id: eventId,
          signal,
        }),
      ),
  });
}

export function findRule({ event, explanation }: Explained): JudgedRule | undefined {
  return explanation?.rules.find(
    ({ ruleId, rulesetId, action }) =>
      ruleId === event.ruleId && rulesetId === event.rulesetId && action === event.action,
  );
}
