/** An event with the reasons for it, as the API explains it. */
import { queryOptions } from '@tanstack/react-query';
import { callApi, get } from '../../api/client.ts';
import type { SecurityEvent } from '../../api/events.ts';

export interface Explained {
  readonly event: SecurityEvent;
  readonly explanation: Explanation | null;
}

export interface Explanation {
  readonly version: number;
  /** The path as rules see it, if that is not what the client sent. */
  readonly path?: string;
  readonly steps: readonly Step[];
  readonly rules: readonly ExplainedRule[];
  /** The rules that would have decided if the one that did were not there. */
  readonly alsoDeciding?: readonly NamedRule[];
}

interface NamedRule {
  readonly source: string;
  readonly ruleId: string;
  readonly rulesetId: string;
  readonly action: string;
  readonly description: string;
}

export interface Step {
  readonly source: string;
  readonly phase: string;
  readonly level: string;
  readonly reached: number;
  readonly ruleCount: number;
  readonly matched: readonly string[];
  readonly end: string;
}

export interface ExplainedRule extends NamedRule {
  readonly tree?: Part;
  readonly score?: {
    readonly total: number;
    readonly threshold: number;
    readonly contributions: readonly {
      readonly ruleId: string;
      readonly description: string;
      readonly score: number;
      readonly tree: Part;
    }[];
  };
}

export interface Part {
  readonly text: string;
  readonly result: 'true' | 'false' | 'not reached';
  readonly field?: string;
  readonly value?: string;
  readonly matched?: readonly Match[];
  readonly parts?: readonly Part[];
}

export interface Match {
  readonly text: string;
  /** Bytes of the whole value; what is shown of it may be cut. */
  readonly start: number;
  readonly end: number;
  readonly element?: number;
  readonly where?: { readonly kind: string; readonly name: string; readonly start?: number };
}

export function explainQuery(zoneId: string, eventId: string) {
  return queryOptions({
    queryKey: ['zones', zoneId, 'explain', eventId],
    queryFn: ({ signal }) =>
      get<Explained>(`/zones/${zoneId}/security/events/${encodeURIComponent(eventId)}/explain`, { signal }),
  });
}

export function findRule({ event, explanation }: Explained): ExplainedRule | undefined {
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
