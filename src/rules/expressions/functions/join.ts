import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { arrayOf, bytesType } from '../types.ts';

export const join: FunctionDefinition = {
  name: 'join',
  summary: 'The elements of an array with a separator between them; nothing for an empty array.',
  parameters: [
    { name: 'array', kind: 'Field', types: [arrayOf(bytesType)] },
    bytesParameter('separator', { kind: 'Any' }),
  ],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => (array: readonly string[] | undefined, separator: string | undefined) =>
    separator === undefined ? undefined : array?.join(separator),
};
