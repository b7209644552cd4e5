import type { FunctionDefinition } from '../ast.ts';
import { findInJson, type PathKey } from '../json-path.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType, intType } from '../types.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);

/** `42.0` and `4e1` do not count as integers. */
export const lookup_json_integer: FunctionDefinition = {
  name: 'lookup_json_integer',
  summary: 'The integer at a path of member names and array indexes in a JSON text; nil if there is none.',
  parameters: [
    bytesParameter('json'),
    { name: 'key', kind: 'Any', types: [bytesType, intType], isRepeated: true },
  ],
  uses: everywhere,
  resultType: result(intType),
  prepare: () => lookupJsonInteger,
};

function lookupJsonInteger(
  json: string | undefined,
  ...path: readonly (PathKey | undefined)[]
): number | undefined {
  const found = findInJson(json, path);
  // Longer ones are out of range, so their digits need not be parsed.
  if (found === undefined || !/^-?\d{1,19}$/.test(found)) return undefined;
  const exact = BigInt(found);
  return exact < int64Min || exact > int64Max ? undefined : Number(exact);
}
