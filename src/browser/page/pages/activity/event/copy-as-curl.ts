/** The request of an event as a command that sends it again, as far as the log has kept it. */
import type { SecurityEvent } from '../../../api/types.ts';
import { quote } from '../../../parts/reading/shell-words.ts';

type Sent = Pick<
  SecurityEvent,
  | 'clientRequestHTTPMethodName'
  | 'clientRequestScheme'
  | 'clientRequestHTTPHost'
  | 'clientRequestPath'
  | 'clientRequestQuery'
  | 'userAgent'
>;

/**
 * Bodies and most headers are not kept. The path is sent as it is: curl would tidy it up. What an attacker has sent stays
 * one word.
 */
export function copyAsCurl(event: Sent): string {
  const { clientRequestHTTPMethodName: method, userAgent } = event;
  return [
    'curl --path-as-is --globoff',
    ...(method === 'GET' ? [] : [`-X ${quote(method)}`]),
    ...(userAgent === '' ? [] : [`-A ${quote(userAgent)}`]),
    quote(addressOf(event)),
  ].join(' ');
}

export function addressOf(event: Sent): string {
  const { clientRequestScheme: scheme, clientRequestHTTPHost: host } = event;
  return `${scheme}://${host}${event.clientRequestPath}${event.clientRequestQuery}`;
}
