/**
 * Events in the form in which the log stores and returns them: the values of their fields in a fixed order, as JSON. The
 * names, which are more than half of an event, are left out. Fields may be added at the end of the order, but never moved or
 * removed.
 */
import { eventFields, type RecordedEvent, type SecurityEvent } from './event.ts';

/** An event to be stored. */
export interface PackedEvent {
  readonly id: string;
  readonly atMs: number;
  readonly document: string;
  readonly judged: string | null;
}

const order = [...Object.keys(eventFields), 'metadata'] as readonly (keyof SecurityEvent)[];

/** The events of one request are consecutive and share one explanation: it is stored with the first of them. */
export function packEvents(events: readonly RecordedEvent[]): PackedEvent[] {
  let ray = '';
  return events.map(({ event, judged }) => {
    const isFirst = event.rayName !== ray;
    ray = event.rayName;
    return {
      id: event.id,
      atMs: Date.parse(event.datetime),
      document: JSON.stringify(order.map((field) => event[field])),
      judged: judged !== undefined && isFirst ? JSON.stringify(judged) : null,
    };
  });
}

export function unpackEvent(document: string): SecurityEvent {
  const values = JSON.parse(document) as readonly unknown[];
  const event: Record<string, unknown> = {};
  for (let place = 0; place < order.length; place++) event[order[place]!] = values[place];
  return event as unknown as SecurityEvent;
}
