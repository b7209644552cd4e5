/**
 * Reports the health of origins to the control plane: the next change reports it again, so a failure is only logged.
 */
import type { Log } from '#base';
import type { HealthBoardOptions, OriginReport } from '#edge';

export type ReportHealth = (reports: readonly OriginReport[]) => Promise<void>;

export function reportWith(report: ReportHealth, log: Log): HealthBoardOptions['onReports'] {
  return (reports) =>
    void report(reports).catch((error: unknown) =>
      log.warn('could not report the health of origins to the control plane; trying again later', { error }),
    );
}
