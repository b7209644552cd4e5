import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { boolType } from '../types.ts';

export const ends_with: FunctionDefinition = {
  name: 'ends_with',
  summary: 'Whether the value ends with these bytes; case-sensitive.',
  parameters: [bytesParameter('value'), bytesParameter('end', { kind: 'Any' })],
  uses: everywhere,
  resultType: result(boolType),
  prepare: () => (value: string | undefined, end: string | undefined) =>
    end === undefined ? undefined : value?.endsWith(end),
};
