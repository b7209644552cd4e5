/**
 * Which origins are refused when they are set: those that the edge of this program does not connect to. Without an edge
 * here, separate edges connect, each by its own `allow_private_origins`: then only origins that no edge connects to are
 * refused.
 */
import { endpointOf } from '#listeners';
import type { OriginRulesOptions } from '#outbound';
import type { Settings } from '../config/settings.ts';
import { type ServedEdge, wantsEdge } from './served-edge.ts';

export interface OriginRulesParts {
  readonly settings: Settings;
  readonly edge: ServedEdge | undefined;
  /** The URLs of our other listeners. */
  readonly listeners: readonly string[];
  /** The names of the Workers that run here. */
  readonly workers: readonly string[];
}

/** As plain data, for the processes of objects. */
export function listOriginRules({
  settings,
  edge,
  listeners,
  workers,
}: OriginRulesParts): OriginRulesOptions {
  if (!wantsEdge(settings)) return { allowPrivate: true };
  const endpoints = [...listeners.map((url) => endpointOf(url)), ...(edge?.endpoints ?? [])];
  return {
    allowPrivate: settings.allowPrivateOrigins,
    workers,
    forbidden: endpoints.map(({ address, port }) => ({ address, port })),
  };
}
