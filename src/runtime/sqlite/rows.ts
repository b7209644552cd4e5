/**
 * Converts the arrays that SQLite returns as rows to what a cursor returns.
 *
 * A row object is built by a function generated for its column names: an object literal gives every row of a statement
 * the same hidden class, several times faster than assigning one property after another. All databases share the
 * functions, because thousands of objects of one class run the same queries.
 */
import { RecentMap } from '#base';
import { rowBuildersMax } from './limits.ts';

/** A value from SQLite: blobs as views of their own buffers, integers as bigints if requested. */
export type NativeValue = string | number | bigint | null | Uint8Array;
export type SqlValue = string | number | null | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;
export type BuildRow = (values: readonly NativeValue[]) => SqlRow;

/** Integers beyond 2^53 are rounded; a blob becomes an ArrayBuffer of its own. */
function toSqlValue(value: NativeValue): SqlValue {
  if (typeof value === 'object' && value !== null) return toArrayBuffer(value);
  return typeof value === 'bigint' ? Number(value) : value;
}

/** Converts in place: SQLite has just created the array, and no other code holds it. */
export function toRawRow(values: NativeValue[]): SqlValue[] {
  for (let at = 0; at < values.length; at++) values[at] = toSqlValue(values[at]!) as NativeValue;
  return values as SqlValue[];
}

function toArrayBuffer({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBuffer {
  const whole = byteOffset === 0 && byteLength === buffer.byteLength;
  return (whole ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)) as ArrayBuffer;
}

const builders = new RecentMap<string, BuildRow>({ sizeMax: rowBuildersMax });

/** The function that builds row objects for these columns. Of columns with the same name the last one wins. */
export function rowBuilder(columnNames: readonly string[]): BuildRow {
  const key = JSON.stringify(columnNames);
  return builders.get(key) ?? builders.set(key, writeBuilder(columnNames));
}

/**
 * The names reach the source text only as JSON strings, so no name can become code. A column called `__proto__` is
 * omitted: in a literal it would set the prototype, and workerd also drops it.
 */
function writeBuilder(columnNames: readonly string[]): BuildRow {
  const properties = columnNames
    .map((name, at) => (name === '__proto__' ? '' : `${JSON.stringify(name)}: convert(values[${at}]),`))
    .join('\n');
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('convert', `return (values) => ({\n${properties}\n});`)(toSqlValue) as BuildRow;
}
