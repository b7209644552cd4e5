/** The last requests of the activity log: those that a rule acted on. */
import { retentionMs, type SecurityEvent } from '#events';
import type { ZoneFacts } from '../../context/directory.ts';
import type { ObjectsContext } from '../several-objects.ts';
import type { RecentRequest, RequestsRead } from './recent-requests.ts';

const pageEvents = 2_000;

/** One event of each request: that of the last rule. */
const condition = { kind: 'test', field: 'matchIndex', operator: 'eq', values: [0] } as const;

export async function readLoggedRequests(
  { activity, nowMs }: ObjectsContext,
  { id, plan }: ZoneFacts,
  max: number,
): Promise<RequestsRead> {
  const range = { sinceMs: nowMs - retentionMs[plan], untilMs: nowMs + 1, condition };
  const events: SecurityEvent[] = [];
  let page = await activity.find(id, range, { limit: Math.min(pageEvents, max), order: 'newest' });
  events.push(...page.events);
  while (page.cursor !== undefined && events.length < max) {
    const limit = Math.min(pageEvents, max - events.length);
    page = await activity.find(id, range, { limit, order: 'newest', cursor: page.cursor });
    events.push(...page.events);
  }
  return {
    source: 'activity log',
    requests: events.toReversed().map(toRequest),
    unknownFields: [
      ...['http.cookie', 'http.request.cookies', 'http.request.headers', 'http.request.body'],
      // Events contain the country and the network of an address.
      ...['continent', 'subdivision_1_iso_code', 'subdivision_2_iso_code', 'region', 'region_code', 'city'],
      ...['postal_code', 'metro_code', 'lat', 'lon', 'timezone'],
    ].map((name) => (name.includes('.') ? name : `ip.src.${name}`)),
  };
}

function toRequest(event: SecurityEvent): RecentRequest {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host, clientRefererHost: referer } = event;
  return {
    method: event.clientRequestHTTPMethodName,
    url: `${scheme}://${host}${event.clientRequestPath}${event.clientRequestQuery}`,
    headers: [
      ['host', host],
      ['user-agent', event.userAgent],
      ...(referer === ''
        ? []
        : ([['referer', `${event.clientRefererScheme}://${referer}${event.clientRefererPath}`]] as const)),
    ],
    ip: event.clientIP,
    country: event.clientCountryName,
    asn: Number(event.clientAsn) || 0,
    receivedAtMs: Date.parse(event.datetime),
    isSignedIn: undefined,
  };
}
