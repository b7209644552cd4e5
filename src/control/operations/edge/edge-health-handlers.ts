/** What edges that run by themselves know of the origins of pools. */
import { ok } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import { noteOriginHealth } from '../../stores/origin-health-store.ts';

export const edgeHealthHandlers: Handlers<Context, 'edge.health'> = {
  'edge.health'({ sql, nowMs }, { body: { pop, origins } }) {
    const reports = origins.map(({ pool_id, healthy, rtt_ms, since_ms, ...same }) => ({
      ...same,
      poolId: pool_id,
      isHealthy: healthy,
      rttMs: rtt_ms,
      sinceMs: since_ms,
    }));
    noteOriginHealth(sql, { pop, reports, nowMs });
    return ok({ count: reports.length });
  },
};
