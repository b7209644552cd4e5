/**
 * Events in the form in which the tail of the log stores them: the values of their fields in a fixed order, as JSON.
 * The names, which are more than half of an event, are omitted. Fields may be added at the end of the order, but never
 * moved or removed.
 */
import { eventFields, type SecurityEvent } from './event.ts';

/** The order of the fields in a packed event. */
export const packedFields = [
  ...Object.keys(eventFields),
  'metadata',
] as readonly string[] as readonly (keyof SecurityEvent)[];

export function packEvent(event: SecurityEvent): string {
  return JSON.stringify(packedFields.map((field) => event[field]));
}

export function unpackEvent(document: string): SecurityEvent {
  const values = JSON.parse(document) as readonly unknown[];
  const event: Record<string, unknown> = {};
  for (let place = 0; place < packedFields.length; place++) event[packedFields[place]!] = values[place];
  return event as unknown as SecurityEvent;
}
