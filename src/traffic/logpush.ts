/**
 * Pushes records of requests and events as they happen: over HTTP, to syslog, into files.
 *
 * ```ts
 * const logpush = new Logpush({ directory, rules, clock: realClock, log, onAttempt });
 * await logpush.update([{ id: 1, zoneId, dataset: 'firewall_events', destination: 'https://logs.example/in', … }]);
 * logpush.pushEvents(zoneId, events);      // never waits
 * ```
 *
 * A job has a filter, a record format, and a bounded buffer on disk (`spool.ts`): a receiver that is unavailable for an
 * hour gets all records that fit, and the number of those that did not. Nothing here slows an edge: records that arrive
 * faster than they can be written are dropped and counted. After a crash, a batch can arrive twice with the same id.
 */
export { type Dataset, datasetFields, type LogRecord } from './logpush/datasets.ts';
export { hideSecrets, parseDestination, restoreSecrets } from './logpush/destination.ts';
export { timestampFormats } from './logpush/format-record.ts';
export type { JobState } from './logpush/job-pusher.ts';
export { batchDefaults } from './logpush/limits.ts';
export type { LogpushJob } from './logpush/logpush-job.ts';
export { Logpush } from './logpush/logpush.ts';
export { parseRecordFilter } from './logpush/record-filter.ts';
