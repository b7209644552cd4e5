/** How the tables of fields are written down. */
import type { Field, FilledBy, Stage } from '../field.ts';
import { arrayOf, bytesType, type ContainerType, mapOf, type Type } from '../types.ts';
import { type Value, zeroOf } from '../values.ts';

export const bytesArrayType: ContainerType = arrayOf(bytesType);
/** Of headers, arguments, cookies: every name may come more than once. */
export const multiMapType: ContainerType = mapOf(bytesArrayType);

type Row = readonly [name: string, type: Type, summary: string, fallback?: Value];

/** Fields that share who fills them and when. A row's last column is its default, where that is not zero or empty. */
export function defineFields(
  { filledBy, stage = 'request' }: { filledBy: FilledBy; stage?: Stage },
  rows: readonly Row[],
): readonly Field[] {
  return rows.map(([name, type, summary, fallback]) => ({
    name,
    type,
    default: fallback ?? zeroOf(type),
    key: name,
    filledBy,
    stage,
    summary,
  }));
}

/** A map and, beside it, its names and its values in the order in which they came. */
export function mapRows(name: string, what: string, elementType: Type = bytesType): readonly Row[] {
  return [
    [name, mapOf(arrayOf(elementType)), `${what}, by name.`],
    [`${name}.names`, bytesArrayType, `${what}: the names, in order.`],
    [`${name}.values`, arrayOf(elementType), `${what}: the values, in order.`],
  ];
}

/** An old name for a field: the same value, and a warning. */
export function deprecated(name: string, replacement: Field): Field {
  return { ...replacement, name, replacedBy: replacement.name, summary: `Old name of ${replacement.name}.` };
}
