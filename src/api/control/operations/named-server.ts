/** External servers that users name: receivers of logs and notifications, sources of lists. */
import { portOf } from '#listeners';
import { obstacleTexts } from '#outbound';
import type { OriginCheck } from '../context/handler.ts';

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** The endpoint of an HTTP URL. */
export function endpointOf(url: URL): Endpoint {
  return { host: url.hostname, port: portOf(url) };
}

/**
 * Describes the address if this server does not connect to it, as far as that is known without connecting; otherwise
 * undefined.
 */
export function describeObstacle(checkOrigin: OriginCheck, { host, port }: Endpoint): string | undefined {
  const obstacle = checkOrigin.findObstacle(host, port);
  if (obstacle === undefined) return undefined;
  return `${host} ${obstacleTexts[obstacle]}`;
}
