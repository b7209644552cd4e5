/**
 * Reports the health of origins to the control plane: the next change reports it again, so a failure is only logged.
 */
import type { Log } from '#base';
import type { HealthBoardOptions } from '#edge';
import type { EdgeReports } from '../edge-reports.ts';

export function reportWith(
  control: Pick<EdgeReports, 'reportHealth'>,
  log: Log,
): HealthBoardOptions['onReports'] {
  return (reports) =>
    void control.reportHealth(reports).catch((error: unknown) =>
      log.warn('could not report the health of origins to the control plane; trying again later', {
        error,
      }),
    );
}
