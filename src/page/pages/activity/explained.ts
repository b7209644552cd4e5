/** An event with the reasons for it, as the API explains it. */
import { queryOptions } from '@tanstack/react-query';
import type { Result } from '#client';
import { client, resultOf } from '../../api/client.ts';
import type { JudgedRule, SecurityEvent } from '../../api/types.ts';

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

export type Trace = Result<'security.trace'>;

/** What the zone's rules would do now with what the log kept of the request: its line, its user agent and its address. */
export async function traceAgain(zoneId: string, event: SecurityEvent): Promise<Trace> {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host } = event;
  const referer = event.clientRefererHost === '' ? '' : writeReferer(event);
  const asn = Number(event.clientAsn);
  const { result } = await client.post('/zones/{zone_id}/security/trace', {
    zone_id: zoneId,
    body: {
      method: event.clientRequestHTTPMethodName,
      url: `${scheme}://${host}${event.clientRequestPath}${event.clientRequestQuery}`,
      headers: {
        ...(event.userAgent === '' ? {} : { 'user-agent': event.userAgent }),
        ...(referer === '' ? {} : { referer }),
      },
      ip: event.clientIP,
      ...(event.clientCountryName === '' ? {} : { country: event.clientCountryName }),
      ...(Number.isInteger(asn) && asn > 0 ? { asn } : {}),
    },
  });
  return result;
}

function writeReferer(event: SecurityEvent): string {
  const { clientRefererScheme, clientRefererHost, clientRefererPath, clientRefererQuery } = event;
  return `${clientRefererScheme}://${clientRefererHost}${clientRefererPath}${clientRefererQuery}`;
}
