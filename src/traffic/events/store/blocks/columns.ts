/**
 * The events of a block as sections: one per field, so that a search reads only the fields that it tests. A section is
 * JSON.
 *
 * ```
 *   0  times      milliseconds, each minus the first time of the block
 *   1  sequences  runs: first, count, first, count, …
 *   2  judged     explanations, as the section of a field; null for an event that has none of its own
 *   3  …          the fields of an event, in the order of `packedFields`
 * ```
 *
 * The section of a field is `[values, places]`: the distinct values, and for every event the index of its value.
 * Without places, all events share one value, or each has its own. Values that follow from other fields are omitted: a
 * time that equals that of `times` is null, an id that consists of the request id, a dash and a number is that number,
 * and a first request id that equals the request id is null.
 *
 * Fields may be added at the end. A missing section belongs to a field that is empty in every event.
 */
import type { SecurityEvent } from '../../event.ts';
import { formatTime } from '../../format-time.ts';
import { packedFields } from '../../packed-event.ts';
import type { StoredEvent } from '../stored-event.ts';

export const timesSection = 0;
export const sequencesSection = 1;
export const judgedSection = 2;
const fieldSections = 3;
export const sectionCount = fieldSections + packedFields.length;

type ColumnValue = string | number | null | object;

/** The decoded section of a field: the distinct values, and which one an event has. */
export interface DecodedColumn {
  readonly values: readonly unknown[];
  /** Undefined if all events have the first value, or each event has its own. */
  readonly places: readonly number[] | undefined;
}

export function sectionOf(field: keyof SecurityEvent): number {
  return fieldSections + packedFields.indexOf(field);
}

/** One section as JSON. */
export function writeSection(section: number, rows: readonly StoredEvent[]): string {
  if (section === timesSection) {
    const firstMs = findFirstMs(rows);
    return JSON.stringify(rows.map(({ atMs }) => atMs - firstMs));
  }
  if (section === sequencesSection) return JSON.stringify(toRuns(rows));
  if (section === judgedSection) return writeJudgedColumn(rows);
  const field = packedFields[section - fieldSections]!;
  return JSON.stringify(writeColumn(rows, readers[field] ?? (({ event }) => event[field])));
}

/** Explanations are JSON already. */
function writeJudgedColumn(rows: readonly StoredEvent[]): string {
  const [values, places] = writeColumn(rows, ({ judged }) => judged);
  const texts = values.map((value) => (value as string | null) ?? 'null').join(',');
  return places === undefined ? `[[${texts}]]` : `[[${texts}],${JSON.stringify(places)}]`;
}

export function findFirstMs(rows: readonly StoredEvent[]): number {
  return rows.reduce((first, { atMs }) => Math.min(first, atMs), Infinity);
}

function toRuns(rows: readonly StoredEvent[]): number[] {
  const runs: number[] = [];
  for (const { sequence } of rows) {
    const [first = 0, count = 0] = runs.slice(-2);
    if (count > 0 && first + count === sequence) runs[runs.length - 1] = count + 1;
    else runs.push(sequence, 1);
  }
  return runs;
}

export function readSequences(runs: readonly number[]): number[] {
  const sequences: number[] = [];
  for (let at = 0; at < runs.length; at += 2) {
    for (let step = 0; step < runs[at + 1]!; step++) sequences.push(runs[at]! + step);
  }
  return sequences;
}

/** Most columns have one value, or a distinct one in each row: both are detected without look-ups. */
function writeColumn(
  rows: readonly StoredEvent[],
  read: (row: StoredEvent) => ColumnValue,
): [ColumnValue[], number[]?] {
  const first = read(rows[0]!);
  let count = 1;
  while (count < rows.length && isSame(read(rows[count]!), first)) count++;
  if (count === rows.length) return [[first]];
  const values: ColumnValue[] = [first];
  const places: number[] = Array.from({ length: count }, () => 0);
  const known = new Map<unknown, number>([[toKey(first), 0]]);
  for (let index = count; index < rows.length; index++) {
    const value = read(rows[index]!);
    const key = toKey(value);
    let place = known.get(key);
    if (place === undefined) {
      place = values.length;
      known.set(key, place);
      values.push(value);
    }
    places.push(place);
  }
  return values.length === rows.length ? [values] : [values, places];
}

function isSame(a: ColumnValue, b: ColumnValue): boolean {
  return a === b || (typeof a === 'object' && toKey(a) === toKey(b));
}

function toKey(value: ColumnValue): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Readers for fields that follow from others. */
const readers: Partial<Record<keyof SecurityEvent, (row: StoredEvent) => ColumnValue>> = {
  datetime: ({ event: { datetime }, atMs }) => (formatTime(atMs) === datetime ? null : datetime),
  originatorRayName: ({ event: { originatorRayName, rayName } }) =>
    originatorRayName === rayName ? null : originatorRayName,
  id: ({ event }) => shortenId(event),
};

function shortenId({ id, rayName }: SecurityEvent): string | number {
  if (id[rayName.length] !== '-' || !id.startsWith(rayName)) return id;
  const rest = id.slice(rayName.length + 1);
  const number = Number(rest);
  return Number.isSafeInteger(number) && number >= 0 && String(number) === rest ? number : id;
}

/** Older blocks store explanations as a list with one entry per event. */
export function readJudgedColumn(json: string): DecodedColumn {
  const parsed = JSON.parse(json) as [ColumnValue[], number[]?] | (object | null)[];
  if (!Array.isArray(parsed[0])) return { values: parsed, places: undefined };
  const [values, places] = parsed as [ColumnValue[], number[]?];
  return { values, places };
}

export function readColumn(json: string): DecodedColumn {
  const [values, places] = JSON.parse(json) as [ColumnValue[], number[]?];
  return { values, places };
}

/** The index of an event's value. */
export function placeOf({ values, places }: DecodedColumn, row: number): number {
  return places?.[row] ?? (values.length === 1 ? 0 : row);
}
