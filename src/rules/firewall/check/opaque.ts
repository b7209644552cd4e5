/** Objects whose meaning is unknown here: any content within limits. */
import { isObject } from '#base';
import { opaqueParametersBytesMax, opaqueParametersDepthMax } from '../limits.ts';
import type { OpaqueObject } from '../model.ts';
import type { Field } from '../problem.ts';

export function checkOpaque(field: Field<unknown>): OpaqueObject | undefined {
  const { value } = field;
  if (value === undefined) return undefined;
  if (!isObject(value)) return field.refuse('wrongType', 'it must be an object');
  if (isDeeperThan(opaqueParametersDepthMax, value)) {
    return field.refuse('outOfRange', `it is nested deeper than ${opaqueParametersDepthMax} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > opaqueParametersBytesMax) {
    return field.refuse('outOfRange', `it is larger than ${opaqueParametersBytesMax} bytes of JSON`);
  }
  return value;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}
