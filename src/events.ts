/**
 * The activity log: one event for each rule that did something to a request.
 *
 * ```ts
 * const recorder = new EventRecorder({ write: (zoneId, events, retentionMs) => logs.getByName(zoneId).append(events, retentionMs) });
 * recorder.record(pending);                                        // on the way of a request: never waits
 * await logs.getByName(zoneId).find({ sinceMs, untilMs, condition }, { limit: 100, order: 'newest' });
 * ```
 *
 * `EventLog` is the class of the objects that keep events, one for each zone; `EventRecorder` stands between them and the
 * traffic. Conditions test any field, or ask in the rules language.
 */
export { type Condition, type Operator, operators } from './events/condition.ts';
export {
  type EventField,
  eventFields,
  isEventField,
  type RecordedEvent,
  type SecurityEvent,
} from './events/event.ts';
export {
  type EventGroup,
  EventLog,
  type EventPage,
  type EventRange,
  type FindOptions,
  type GroupOptions,
} from './events/event-log.ts';
export type { Judged, JudgedPart, JudgedRule, JudgedStep } from './events/judged.ts';
export { groupsMax, pageEventsMax } from './events/limits.ts';
export {
  EventRecorder,
  type PendingEvents,
  type RecorderCounts,
  type RecorderOptions,
} from './events/recorder.ts';
export { retentionMs } from './events/retention.ts';
