/**
 * Request fields that applications trust to describe a client or a route, and that any client can send. The edge
 * withholds them from origins, unless a zone names them in `forwarded_fields`: then another server in front of the edge
 * sets them.
 */

/** Names in lower case. `clientAddress` matches further names. */
const names: ReadonlySet<string> = new Set([
  // CGI maps it to the variable HTTP_PROXY, which HTTP libraries obey.
  'proxy',
  // Frameworks take the path from them, so rules would judge a different path.
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-rewrite-uri',
  'x-override-url',
  'x-http-destinationurl',
  // Frameworks take the host from them.
  'x-host',
  'x-original-host',
  'x-http-host-override',
  'x-backend-host',
  // The client, for applications behind another edge or load balancer.
  'cf-connecting-ipv6',
  'cf-ipcountry',
  'cf-pseudo-ipv4',
  'cf-visitor',
  'cf-worker',
  'forwarded-for',
  'forwarded-for-ip',
  'x-forwarded',
  'x-forward-for',
  'x-original-forwarded-for',
  'x-envoy-external-address',
  'x-custom-ip-authorization',
]);

/** `X-Real-IP`, `True-Client-IP`, `X-Cluster-Client-IP`, `Fastly-Client-IP`, `X-Azure-ClientIP`, `X-Remote-Addr`, … */
const clientAddress =
  /^(?:[a-z0-9]+-)*(?:(?:client|originating|peer|proxyuser|real|remote|source|src|true|visitor)-?(?:ip|ipv4|ipv6|addr|address)|user-?ip)$/;

/** `lower` is in lower case. */
export function isWithheldField(lower: string): boolean {
  return names.has(lower) || clientAddress.test(lower);
}
