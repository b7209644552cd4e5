/** Something has happened that policies may want to tell. */
import type { Context } from '../context/handler.ts';
import type { Result } from '#contract';
import { addAlert, type Alert } from '../stores/alert-store.ts';
import type { OriginReport } from '../stores/origin-health-store.ts';

/** Sends what is to be told. */
export const alertTask = 'alert.deliver';

export function raiseAlert(
  context: Pick<Context, 'sql' | 'nowMs' | 'newId' | 'schedule'>,
  alert: Alert,
): void {
  if (addAlert(context.sql, alert, context) > 0) context.schedule(alertTask, { dueMs: context.nowMs });
}

/** What is told of an origin of a pool whose health has changed. */
export function describeHealth(
  pop: string,
  { poolId, origin, address, isHealthy, reason }: OriginReport,
): Alert {
  const state = isHealthy ? 'is well again' : 'is down';
  return {
    type: 'load_balancing_health_alert' satisfies Result<'alerting.getPolicy'>['alert_type'],
    // Both are told, whichever was told last.
    subject: `${poolId} ${origin} ${isHealthy ? 'up' : 'down'}`,
    title: `origin ${origin} ${state}`,
    text: `The origin ${origin} (${address}) of pool ${poolId} ${state}, as ${pop} sees it${isHealthy ? '.' : `: ${reason}.`}`,
  };
}
