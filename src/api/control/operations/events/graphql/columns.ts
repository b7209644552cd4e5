/**
 * The fields that queries can select, filter, order and group by: those of events, and the time at several resolutions.
 */
import type { GraphQLScalarType } from 'graphql';
import { type Dimension, type EventField, eventFields, type SecurityEvent } from '#events';
import { dateType, stringType, timeType, uint16Type, uint32Type, uint64Type } from './scalars.ts';

export type Column =
  | { readonly kind: 'field'; readonly name: EventField; readonly type: GraphQLScalarType }
  | {
      readonly kind: 'time';
      readonly name: string;
      readonly type: GraphQLScalarType;
      readonly bucketMs: number;
    };

const minuteMs = 60_000;

const times: readonly [name: string, type: GraphQLScalarType, bucketMs: number][] = [
  ['datetime', timeType, 1_000],
  ['datetimeMinute', timeType, minuteMs],
  ['datetimeFiveMinutes', timeType, 5 * minuteMs],
  ['datetimeFifteenMinutes', timeType, 15 * minuteMs],
  ['datetimeHour', timeType, 60 * minuteMs],
  ['date', dateType, 24 * 60 * minuteMs],
];

const numberTypes: Readonly<Record<string, GraphQLScalarType>> = {
  edgeResponseStatus: uint16Type,
  originResponseStatus: uint16Type,
  matchIndex: uint32Type,
  sampleInterval: uint64Type,
};

/** The columns by name. */
export const columns: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...times.map(([name, type, bucketMs]): [string, Column] => [name, { kind: 'time', name, type, bucketMs }]),
  ...(Object.keys(eventFields) as EventField[])
    .filter((name) => name !== 'datetime')
    .map((name): [string, Column] => [name, { kind: 'field', name, type: numberTypes[name] ?? stringType }]),
]);

export function toDimension(column: Column): Dimension {
  return column.kind === 'field' ? { field: column.name } : { bucketMs: column.bucketMs };
}

export function readValue(event: SecurityEvent, column: Column): string | number {
  if (column.kind === 'field') return event[column.name];
  const { bucketMs } = column;
  const atMs = Math.floor(Date.parse(event.datetime) / bucketMs) * bucketMs;
  return formatTime(new Date(atMs).toISOString(), column);
}

/** Cloudflare shows times in seconds, and dates as days. */
export function formatTime(text: string, { type }: Column): string {
  return type === dateType ? text.slice(0, 10) : `${text.slice(0, 19)}Z`;
}
