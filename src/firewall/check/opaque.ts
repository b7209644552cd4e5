/** Objects whose meaning is not known here: anything, within bounds. */
import { opaqueParametersBytesMax, opaqueParametersDepthMax } from '../limits.ts';
import type { OpaqueObject } from '../model.ts';
import { isObject, type Place } from './place.ts';

export function checkOpaque(place: Place): OpaqueObject | undefined {
  const { value } = place;
  if (value === undefined) return undefined;
  if (!isObject(value)) return place.refuse('wrong_type', 'it must be an object');
  if (isDeeperThan(opaqueParametersDepthMax, value)) {
    return place.refuse('out_of_range', `it is nested deeper than ${opaqueParametersDepthMax} levels`);
  }
  if (Buffer.byteLength(JSON.stringify(value)) > opaqueParametersBytesMax) {
    return place.refuse('out_of_range', `it is larger than ${opaqueParametersBytesMax} bytes of JSON`);
  }
  return value;
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeperThan(depth - 1, inner));
}
