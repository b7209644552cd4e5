/**
 * The activity log: one event for each rule that acted on a request.
 *
 * ```ts
 * const store = await openEventStore({ directory, clock: realClock, log });
 * const recorder = new EventRecorder({ write: (zoneId, events, retentionMs) => store.append(zoneId, events, retentionMs) });
 * recorder.record(pending);                                        // called while a request is processed: never waits
 * await store.find(zoneId, { sinceMs, untilMs, condition }, { limit: 100, order: 'newest' });
 * ```
 *
 * `EventStore` stores the events of all zones of a data directory, in files, or those of one zone of a cluster, in its
 * database; both have the same segments and blocks (`events/store`). `DatabaseLogs` manages the latter. `EventRecorder`
 * writes without delaying traffic, and `EventHub` sends new events to open streams. Conditions compare any field, or
 * use the rules language. `explainJudgement` describes how a request was judged, without its secrets; `explainEvent`
 * adds the shortest form and suggested exceptions, and `proposeExceptions` lists those to choose from.
 *
 * In addition to events, there are counts of all requests by zone and minute (`events/traffic`): `TrafficTally` counts
 * them at an edge, `TrafficStore` stores them.
 */
export {
  compileCondition,
  compileExpression,
  type EventCondition,
  type FieldOperator,
  operators,
} from './events/condition.ts';
export {
  type EventField,
  eventFields,
  isEventField,
  type RecordedEvent,
  type SecurityEvent,
} from './events/event.ts';
export type { ViewedEvent } from './events/event-view.ts';
export { eventScheme, parseEventExpression } from './events/event-expression.ts';
export { formatTime } from './events/format-time.ts';
export { EventHub } from './events/event-hub.ts';
export type { EventPage, EventRange, FindOptions, LaterEvents } from './events/event-questions.ts';
export type { ZoneEventsSize } from './events/store/blocks/segments.ts';
export type { EventStore, EventStoreOptions } from './events/event-store.ts';
export {
  openEventStore,
  openDatabaseEventStore,
  openTrafficStore,
  scrubTraffic,
} from './events/open-stores.ts';
export { DatabaseLogs } from './events/store/database/database-logs.ts';
export { createEventPart, createTrafficPart } from './events/backup-parts.ts';
export {
  type Dimension,
  type EventGroups,
  GroupCounter,
  type GroupOptions,
  type GroupOrder,
} from './events/groups.ts';
export { explainFilter, explainJudgement } from './events/judged/explain-judgement.ts';
export { writeJudged } from './events/judged/write-judged.ts';
export type { FoundMatch, Judged, JudgedRule } from './events/judged/judged.ts';
export { listFoundBy } from './events/judged/summary.ts';
export { type ExplainedEvent, explainEvent } from './events/explained/explained-event.ts';
export type { ExceptionRequest } from './events/explained/exception-requests.ts';
export { printExplained } from './events/explained/print-judged.ts';
export { type ProposedException, proposeExceptions } from './events/explained/propose-exceptions.ts';
export { groupsMax, pageEventsMax, retentionMs } from './events/limits.ts';
export {
  EventRecorder,
  type PendingEvents,
  type RecorderCounts,
  type RecorderOptions,
} from './events/recorder.ts';
export { unpackEvent } from './events/packed-event.ts';
export type { EventCursor } from './events/store/blocks/scan.ts';
export type { DatabaseLog } from './events/store/database/database-log.ts';
export { TrafficTally } from './events/traffic/traffic-tally.ts';
export { KnownBatches } from './events/traffic/known-batches.ts';
export { aheadMinutesMax, minutesKeptMs } from './events/traffic/limits.ts';
export {
  addCounts,
  createCounts,
  placeOfField,
  type TrafficCounts,
  type TrafficField,
  type TrafficRow,
} from './events/traffic/traffic-counts.ts';
export type { TrafficStore } from './events/traffic/traffic-store.ts';
