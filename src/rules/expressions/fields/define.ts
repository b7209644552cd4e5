/** Functions that build the tables of fields. */
import type { Field, FilledBy, Stage } from '../field.ts';
import { arrayOf, bytesType, type ContainerType, mapOf, type Type } from '../types.ts';
import { type Value, getZero } from '../values.ts';

export const bytesArrayType: ContainerType = arrayOf(bytesType);
/** For headers, arguments and cookies: each name may occur more than once. */
export const multiMapType: ContainerType = mapOf(bytesArrayType);

type FieldRow = readonly [name: string, type: Type, summary: string, fallback?: Value];

/** Fields that have the same source and stage. A row's last column is its default, if that is not zero or empty. */
export function defineFields(
  { filledBy, stage = 'request' }: { filledBy: FilledBy; stage?: Stage },
  rows: readonly FieldRow[],
): readonly Field[] {
  return rows.map(([name, type, summary, fallback]) => ({
    name,
    type,
    default: fallback ?? getZero(type),
    key: name,
    filledBy,
    stage,
    summary,
  }));
}

/** A map, its names, and its values in the order in which they arrived. */
export function createMapRows(
  name: string,
  what: string,
  elementType: Type = bytesType,
): readonly FieldRow[] {
  return [
    [name, mapOf(arrayOf(elementType)), `${what}, by name.`],
    [`${name}.names`, bytesArrayType, `${what}: the names, in order.`],
    [`${name}.values`, arrayOf(elementType), `${what}: the values, in order.`],
  ];
}

/** An old name for a field: the same value, and a warning. */
export function deprecate(name: string, replacement: Field): Field {
  return { ...replacement, name, replacedBy: replacement.name, summary: `Old name of ${replacement.name}.` };
}
