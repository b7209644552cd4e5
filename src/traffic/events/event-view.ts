/**
 * A request view of the data that an event has about its request, so that the rules language works on the activity log.
 */
import { bytesOf } from '#text';
import { requestFrom } from '#request';
import type { RequestView } from '#expressions';
import type { SecurityEvent } from './event.ts';

/** The fields that a view is built from. */
export const viewedFields = [
  'clientRequestScheme',
  'clientRequestHTTPHost',
  'clientRequestPath',
  'clientRequestQuery',
  'clientRequestHTTPMethodName',
  'clientRequestHTTPProtocol',
  'userAgent',
  'clientRefererScheme',
  'clientRefererHost',
  'clientRefererPath',
  'clientRefererQuery',
  'clientIP',
  'clientCountryName',
  'clientAsn',
  'datetime',
  'edgeResponseStatus',
  'rayName',
] as const satisfies readonly (keyof SecurityEvent)[];

export type ViewedEvent = Pick<SecurityEvent, (typeof viewedFields)[number]>;

export function createView(event: ViewedEvent): RequestView {
  const { clientRequestScheme, clientRequestHTTPHost, clientRequestPath, clientRequestQuery } = event;
  return requestFrom({
    method: event.clientRequestHTTPMethodName,
    url: `${clientRequestScheme}://${clientRequestHTTPHost}${clientRequestPath}${clientRequestQuery}`,
    version: event.clientRequestHTTPProtocol,
    headers: { host: clientRequestHTTPHost, 'user-agent': event.userAgent, referer: formatReferer(event) },
    ip: event.clientIP,
    country: event.clientCountryName,
    asn: Number(event.clientAsn) || 0,
    receivedAt: Date.parse(event.datetime),
    response: { status: event.edgeResponseStatus },
    fields: new Map([['cf.ray_id', bytesOf(event.rayName)]]),
  });
}

function formatReferer(event: ViewedEvent): string {
  const { clientRefererScheme, clientRefererHost, clientRefererPath, clientRefererQuery } = event;
  return clientRefererHost === ''
    ? ''
    : `${clientRefererScheme}://${clientRefererHost}${clientRefererPath}${clientRefererQuery}`;
}
