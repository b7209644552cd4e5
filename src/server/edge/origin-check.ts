/**
 * Refuses origins when they are set, by the rules that the edge of this process connects by. Without an edge here, edges
 * elsewhere connect, each by its own `allow_private_origins`: then only what no edge connects to is refused.
 */
import { endpointOf } from '#base';
import type { OriginCheck } from '#control';
import { AddressPolicy } from '#edge';
import type { Settings } from '../config/settings.ts';
import { type ServedEdge, wantsEdge } from './served-edge.ts';

export interface OriginCheckParts {
  readonly settings: Settings;
  readonly edge: ServedEdge | undefined;
  /** The URLs of our other listeners. */
  readonly listeners: readonly string[];
}

export function createOriginCheck({ settings, edge, listeners }: OriginCheckParts): OriginCheck {
  const policy = wantsEdge(settings)
    ? new AddressPolicy({
        allowPrivate: settings.allowPrivateOrigins,
        forbidden: [...listeners.map((url) => endpointOf(url)), ...(edge?.endpoints ?? [])],
      })
    : new AddressPolicy({ allowPrivate: true });
  return (host, port) => {
    const obstacle = policy.findObstacle(host, port);
    return obstacle === undefined || obstacle === 'private' ? obstacle : 'forbidden';
  };
}
