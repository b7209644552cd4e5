/** The health of pool origins as separate edges report it. */
import { ok } from '#contract';
import { describeHealth, raiseAlert } from '../../notifications/raise-alert.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { noteOriginHealth } from '../../stores/load-balancing/origin-health.ts';

export const edgeHealthHandlers: Handlers<Context, 'edge.health'> = {
  'edge.health'(context, { body: { pop, origins } }) {
    const { sql, nowMs } = context;
    const reports = origins.map(({ pool_id, healthy, rtt_ms, since_ms, ...same }) => ({
      ...same,
      poolId: pool_id,
      isHealthy: healthy,
      rttMs: rtt_ms,
      sinceMs: since_ms,
    }));
    for (const changed of noteOriginHealth(sql, { pop, reports, nowMs }))
      raiseAlert(context, describeHealth(pop, changed));
    return ok({ count: reports.length });
  },
};
