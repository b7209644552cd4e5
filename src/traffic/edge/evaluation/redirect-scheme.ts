/** Redirects between HTTP and HTTPS, by settings of the zone. */
import type { ZoneSettings } from '#zone-settings';
import { createEdgeResponse, type EdgeResponse } from '../wire/edge-response.ts';
import type { IncomingRequest } from '../wire/exchange.ts';

/** Undefined if there is no redirect. The URL has no port: this edge may be behind other servers. */
export function redirectScheme(
  { isSecure, host, target }: IncomingRequest,
  { ssl, always_use_https }: ZoneSettings,
): EdgeResponse | undefined {
  const isWrong = isSecure ? ssl === 'off' : always_use_https === 'on' && ssl !== 'off';
  if (!isWrong || !target.startsWith('/')) return undefined;
  const location = `${isSecure ? 'http' : 'https'}://${host}${target}`;
  return createEdgeResponse(301, 'text/plain; charset=utf-8', 'Moved permanently.\n', [
    ['location', location],
  ]);
}
