/** An event with the reasons for it, as the API explains it. */
import { queryOptions } from '@tanstack/react-query';
import { callApi, get } from '../../api/client.ts';
import type { SecurityEvent } from '../../api/security-event.ts';
import type { Judged, JudgedRule } from '../../api/judged.ts';

export interface Explained {
  readonly event: SecurityEvent;
  readonly explanation: Judged | null;
  readonly exceptions: readonly SuggestedException[];
  /** What the rule found something in, if an exception can be about that alone. */
  readonly arguments: readonly { readonly kind: string; readonly name: string }[];
}

/** A call of the API that makes an exception. */
interface ExceptionCall {
  readonly effect: string;
  readonly expression: string;
  readonly request: {
    readonly method: 'PATCH' | 'POST' | 'PUT';
    readonly path: string;
    readonly body: object;
  };
}

interface SuggestedException extends ExceptionCall {
  readonly alternatives?: readonly (ExceptionCall & { readonly warning: string })[];
}

export function explainQuery(zoneId: string, eventId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'explain', eventId],
    queryFn: ({ signal }) =>
      get<Explained>(`/zones/${zoneId}/security/events/${encodeURIComponent(eventId)}/explain`, { signal }),
  });
}

export function findRule({ event, explanation }: Explained): JudgedRule | undefined {
  return explanation?.rules.find(
    ({ ruleId, rulesetId, action }) =>
      ruleId === event.ruleId && rulesetId === event.rulesetId && action === event.action,
  );
}

export interface Trace {
  readonly verdict: { readonly action: string; readonly rule_id?: string; readonly ruleset_id?: string };
}

/** What the zone's rules would do now with what the log kept of the request: its line, its user agent and its address. */
export async function traceAgain(zoneId: string, event: SecurityEvent): Promise<Trace> {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host } = event;
  const referer = event.clientRefererHost === '' ? '' : writeReferer(event);
  const asn = Number(event.clientAsn);
  const { result } = await callApi<Trace>('POST', `/zones/${zoneId}/security/trace`, {
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
