import type { FunctionDefinition } from '../ast.ts';
import { findInJson, type PathKey } from '../json-path.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType, intType } from '../types.ts';
import { bytesOf } from '#text';

export const lookup_json_string: FunctionDefinition = {
  name: 'lookup_json_string',
  summary: 'The string at a path of member names and array indexes in a JSON text; nil if there is none.',
  parameters: [
    bytesParameter('json'),
    { name: 'key', kind: 'Any', types: [bytesType, intType], isRepeated: true },
  ],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => lookupJsonString,
};

function lookupJsonString(
  json: string | undefined,
  ...path: readonly (PathKey | undefined)[]
): string | undefined {
  const found = findInJson(json, path);
  if (found === undefined || !found.startsWith('"')) return undefined;
  const text: unknown = JSON.parse(found);
  return typeof text === 'string' && text.isWellFormed() ? bytesOf(text) : undefined;
}
