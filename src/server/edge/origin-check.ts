/**
 * Refuses origins when they are set, by the rules that the edge of this program connects by. Without an edge here, edges
 * elsewhere connect, each by its own `allow_private_origins`: then only what no edge connects to is refused.
 */
import { endpointOf } from '#base';
import type { OriginCheck } from '#control';
import { AddressPolicy } from '#edge';
import type { Settings } from '../config/settings.ts';
import { type ServedEdge, wantsEdge } from './served-edge.ts';
import type { Endpoint } from './start-edge.ts';

export interface OriginCheckParts {
  readonly settings: Settings;
  readonly edge: ServedEdge | undefined;
  /** The URLs of our other listeners. */
  readonly listeners: readonly string[];
}

/** The rules as plain data, for the processes of objects. */
export interface OriginRules {
  readonly allowPrivate: boolean;
  readonly forbidden: readonly Endpoint[];
}

export function listOriginRules({ settings, edge, listeners }: OriginCheckParts): OriginRules {
  if (!wantsEdge(settings)) return { allowPrivate: true, forbidden: [] };
  return {
    allowPrivate: settings.allowPrivateOrigins,
    forbidden: [...listeners.map((url) => endpointOf(url)), ...(edge?.endpoints ?? [])],
  };
}

export function createOriginCheck(rules: OriginRules): OriginCheck {
  const policy = new AddressPolicy(rules);
  return (host, port) => {
    const obstacle = policy.findObstacle(host, port);
    return obstacle === undefined || obstacle === 'private' ? obstacle : 'forbidden';
  };
}
