/** The values that `[*]` visits: the elements of an array, or the values of a map in byte order of its keys. */
import type { Operand } from '../ast.ts';
import type { Value } from '../values.ts';

export function listChildren(value: Value): readonly Value[] {
  if (value instanceof Map) return listByKey(value as ReadonlyMap<string, Value>);
  return value as readonly Value[];
}

export function listByKey(map: ReadonlyMap<string, Value>): readonly Value[] {
  const keys = [...map.keys()];
  // Most maps are already in order, or have a single key.
  if (keys.some((key, index) => index > 0 && key < keys[index - 1]!)) keys.sort(compareBytes);
  return keys.map((key) => map.get(key)!);
}

function compareBytes(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * The number of steps in a path with `[*]` that lead to the visited value, whose absence makes a call that is mapped
 * over it nil. If other steps follow a `[*]`, only the absence of the root matters.
 */
export function getVisitedDepth({ path, eachCount }: Operand): number {
  return eachCount === 1 && path.at(-1)!.kind === 'each' ? path.length - 1 : 0;
}
