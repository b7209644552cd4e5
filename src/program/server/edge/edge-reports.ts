/**
 * What an edge reports to its control plane: in the same process, to the process that started it, or over the network.
 */
import type { EdgeOptions, OriginReport } from '#edge';
import type { TrafficRow } from '#events';
import type { RateAnswer, RateReport } from '#firewall';
import type { LogRecord } from '#logpush';

export interface TrafficBatch {
  /** Different for each batch of any edge: a batch may be sent again under its name. */
  readonly name: string;
  readonly rows: readonly TrafficRow[];
}

/** By zone id. */
export type ServedRequests = Readonly<Record<string, readonly LogRecord[]>>;

export type WrittenEvents = Parameters<EdgeOptions['writeEvents']>;
export type LearnedBatch = Parameters<NonNullable<EdgeOptions['sendLearned']>>;

export interface EdgeReports {
  /** Resolves when the events are in the log of the zone. */
  writeEvents(...events: WrittenEvents): Promise<void>;
  /** Resolves when the counts are added. */
  sendTraffic(batch: TrafficBatch): Promise<void>;
  /** Resolves when they are received. They are not sent again: they may already have arrived. */
  sendRequests(zones: ServedRequests): Promise<void>;
  /** Resolves when the zone has it. It is not sent again: the zone may already have it. */
  sendLearned(...learned: LearnedBatch): Promise<void>;
  /** Reports the health of pool origins. The next change reports it again, so it is not retried. */
  reportHealth(reports: readonly OriginReport[]): Promise<void>;
  /** Exchanges counts of rate limits with other hosts; undefined while there is no control plane yet. */
  exchangeRates(report: Omit<RateReport, 'instance'>): Promise<RateAnswer | undefined>;
}
