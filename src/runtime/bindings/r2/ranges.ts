/** The requested bytes of an object. */
import { R2Failure } from './r2-failure.ts';
import type { AskedRange } from './r2-records.ts';

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Parses the `range` of a `get`, with the checks that need no object. */
export function readRange(range: object | undefined): AskedRange | undefined {
  if (range === undefined || range === null) return undefined;
  if (range instanceof Headers) {
    const header = range.get('range');
    return header === null ? undefined : { header };
  }
  const { offset, length, suffix } = range as { offset?: number; length?: number; suffix?: number };
  checkWhole(offset, 'Invalid range. Starting offset', 'Invalid range. Starting offset');
  checkWhole(length, 'Invalid range. Length', 'Invalid range. Length');
  if (suffix !== undefined) {
    if (offset !== undefined) throw new TypeError('Suffix is incompatible with offset.');
    if (length !== undefined) throw new TypeError('Suffix is incompatible with length.');
    checkWhole(suffix, 'Invalid suffix. Suffix', 'Invalid range. Suffix');
    return { suffix };
  }
  return {
    ...(offset === undefined ? {} : { offset }),
    ...(length === undefined ? {} : { length }),
  };
}

/** The bytes of an object of this size. An unsatisfiable header, or one with several ranges, requests everything. */
export function resolveRange(asked: AskedRange | undefined, size: number): ByteRange {
  if (asked === undefined) return { offset: 0, length: size };
  if ('header' in asked) return parseHeader(asked.header, size) ?? { offset: 0, length: size };
  if (asked.suffix !== undefined) {
    if (asked.suffix === 0) throw new R2Failure('invalidRange');
    const length = Math.min(asked.suffix, size);
    return { offset: size - length, length };
  }
  const offset = asked.offset ?? 0;
  const length = asked.length ?? size - offset;
  if (offset > size || length <= 0) throw new R2Failure('invalidRange');
  return { offset, length: Math.min(length, size - offset) };
}

function parseHeader(header: string, size: number): ByteRange | undefined {
  const match = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header);
  if (match === null) return undefined;
  const [, first, last] = match;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return last === '' || length === 0 ? undefined : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  return offset < end ? { offset, length: end - offset } : undefined;
}

function checkWhole(value: number | undefined, subject: string, subjectOfFraction: string): void {
  if (value === undefined) return;
  if (!(value >= 0)) throw new RangeError(`${subject} (${value}) must be greater than or equal to 0.`);
  if (!Number.isInteger(value))
    throw new RangeError(`${subjectOfFraction} (${value}) must be an integer, not floating point.`);
}
