/**
 * The activity log: one event for each rule that did something to a request.
 *
 * ```ts
 * const recorder = new EventRecorder({ write: (zoneId, events, retentionMs) => logs.getByName(zoneId).append(packEvents(events), retentionMs) });
 * recorder.record(pending);                                        // called while a request is processed: never waits
 * await logs.getByName(zoneId).find({ sinceMs, untilMs, condition }, { limit: 100, order: 'newest' });
 * ```
 *
 * `EventLog` is the class of the objects that store events, one per zone. `EventRecorder` writes to them without delaying
 * traffic, and `EventHub` sends new events to open streams. Conditions compare any field, or use the rules language.
 * `explainJudgement` describes how a request was judged, without its secrets; `explainEvent` adds the shortest form and the
 * words for an exception.
 */
export { compileCondition, type Condition, type Operator, operators } from './events/condition.ts';
export {
  type EventField,
  eventFields,
  isEventField,
  type RecordedEvent,
  type SecurityEvent,
} from './events/event.ts';
export { parseEventExpression } from './events/event-expression.ts';
export { EventHub } from './events/event-hub.ts';
export { type EventCursor, EventLog, type EventPage, type EventRange } from './events/event-log.ts';
export type { Dimension, EventGroups, GroupOrder } from './events/groups.ts';
export { explainJudgement } from './events/judged/explain-judgement.ts';
export type { Judged } from './events/judged/judged.ts';
export { type ExplainedEvent, explainEvent } from './events/judged/explained-event.ts';
export { printExplained } from './events/judged/print-judged.ts';
export { groupsMax, pageEventsMax } from './events/limits.ts';
export {
  EventRecorder,
  type PendingEvents,
  type RecorderCounts,
  type RecorderOptions,
} from './events/recorder.ts';
export { packEvents, unpackEvent } from './events/packed-event.ts';
export { retentionMs } from './events/retention.ts';
