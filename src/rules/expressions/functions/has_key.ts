import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { boolType } from '../types.ts';
import type { Value } from '../values.ts';

/** Keys are compared byte by byte: the keys of header maps are in lower case. */
export const has_key: FunctionDefinition = {
  name: 'has_key',
  summary: 'Whether a map has this key.',
  parameters: [{ name: 'map', kind: 'Field', types: ['Map'] }, bytesParameter('key', { kind: 'Any' })],
  uses: everywhere,
  resultType: result(boolType),
  prepare: () => (map: ReadonlyMap<string, Value> | undefined, key: string | undefined) =>
    key === undefined ? undefined : map?.has(key),
};
