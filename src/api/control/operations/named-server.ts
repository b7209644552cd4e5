/** Servers of others that users name: receivers of logs and of notifications, sources of lists. */
import { portOf } from '#base';
import type { OriginCheck } from '../context/handler.ts';

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Of a URL of HTTP. */
export function endpointOf(url: URL): Endpoint {
  return { host: url.hostname, port: portOf(url) };
}

/** What its address is, if this server does not connect to it, as far as that is known without asking; or undefined. */
export function describeObstacle(checkOrigin: OriginCheck, { host, port }: Endpoint): string | undefined {
  const obstacle = checkOrigin.findObstacle(host, port);
  if (obstacle === undefined) return undefined;
  return obstacle === 'private'
    ? 'private: the server would need allow_private_origins'
    : 'never connected to from here';
}
