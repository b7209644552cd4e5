/** The request of an event as a command that sends it again, as far as it was logged. */
import type { SecurityEvent } from '../../../api/types.ts';
import { quote } from '../../../parts/reading/shell-words.ts';

type LoggedRequest = Pick<
  SecurityEvent,
  | 'clientRequestHTTPMethodName'
  | 'clientRequestScheme'
  | 'clientRequestHTTPHost'
  | 'clientRequestPath'
  | 'clientRequestQuery'
  | 'userAgent'
>;

/**
 * Bodies and most headers are not logged. The path is sent unchanged: curl would normalise it. An attacker's text stays
 * a single word.
 */
export function copyAsCurl(event: LoggedRequest): string {
  const { clientRequestHTTPMethodName: method, userAgent } = event;
  return [
    'curl --path-as-is --globoff',
    ...(method === 'GET' ? [] : [`-X ${quote(method)}`]),
    ...(userAgent === '' ? [] : [`-A ${quote(userAgent)}`]),
    quote(addressOf(event)),
  ].join(' ');
}

export function addressOf(event: LoggedRequest): string {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host } = event;
  return `${scheme}://${host}${event.clientRequestPath}${event.clientRequestQuery}`;
}
