/** Stored values and cells as text for people: bounded, whatever they are. */
import { showValue, toTypedJson, versionOfValue } from '#objects';
import type { ListedValue, WholeValue } from './copies/copy-question.ts';
import { editedBytesMax, shownCharactersMax } from '../limits.ts';

export type Cell = string | number | null | ArrayBuffer;

export function showCell(value: Cell): string | number | null {
  if (value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (!(value instanceof ArrayBuffer)) return shorten(value);
  return shorten(
    `x'${Buffer.from(value, 0, Math.min(value.byteLength, shownCharactersMax)).toString('hex')}'`,
  );
}

export function shorten(text: string): string {
  if (text.length <= shownCharactersMax) return text;
  return `${text.slice(0, shownCharactersMax)}… (${text.length} characters)`;
}

export function showListedValue(key: string, value: unknown, bytes: number): ListedValue {
  return { key, type: nameType(value), bytes, shown: shorten(showValue(value)) };
}

/** A value that is too large to be edited has no JSON. */
export function showWholeValue(key: string, value: unknown, bytes: number): WholeValue {
  const json = bytes <= editedBytesMax ? toTypedJson(value) : undefined;
  return {
    ...showListedValue(key, value, bytes),
    version: versionOfValue(value),
    ...(json === undefined || json.length > 4 * editedBytesMax ? {} : { json }),
  };
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  return typeof name === 'string' && name !== '' ? name : 'Object';
}

/** Keys are ordered by their bytes. */
export function isKeyAfter(key: string, after: string): boolean {
  return after === '' || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0;
}
