/** What is known of origins, told to the control plane: again with the next change, so a failure is only logged. */
import type { Log } from '#base';
import type { HealthBoardOptions, OriginReport } from '#edge';

export type ReportHealth = (reports: readonly OriginReport[]) => Promise<void>;

export function reportWith(report: ReportHealth, log: Log): HealthBoardOptions['onReports'] {
  return (reports) =>
    void report(reports).catch((error: unknown) =>
      log.warn('could not tell the control plane how origins are; trying again later', { error }),
    );
}
