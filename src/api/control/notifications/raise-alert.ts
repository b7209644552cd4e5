/** Raises an event that notification policies may report. */
import type { Context } from '../context/handler.ts';
import type { Result } from '#contract';
import { addAlert, type Alert } from '../stores/notifications.ts';
import type { OriginReport } from '../stores/load-balancing/origin-health.ts';

/** Delivers a notification. */
export const alertTask = 'alert.deliver';

export function raiseAlert(
  context: Pick<Context, 'sql' | 'nowMs' | 'newId' | 'schedule'>,
  alert: Alert,
): void {
  if (addAlert(context.sql, alert, context) > 0) context.schedule(alertTask, { dueMs: context.nowMs });
}

/** Describes a change in the health of a pool's origin. */
export function describeHealth(
  pop: string,
  { poolId, origin, address, isHealthy, reason }: OriginReport,
): Alert {
  const state = isHealthy ? 'is healthy again' : 'is down';
  return {
    type: 'load_balancing_health_alert' satisfies Result<'alerting.getPolicy'>['alert_type'],
    // Both changes are reported, whichever was reported last.
    subject: `${poolId} ${origin} ${isHealthy ? 'up' : 'down'}`,
    title: `origin ${origin} ${state}`,
    text: `The origin ${origin} (${address}) of pool ${poolId} ${state}, as ${pop} sees it${isHealthy ? '.' : `: ${reason}.`}`,
  };
}
