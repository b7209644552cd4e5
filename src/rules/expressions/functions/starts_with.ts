import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { boolType } from '../types.ts';

export const starts_with: FunctionDefinition = {
  name: 'starts_with',
  summary: 'Whether the value starts with these bytes; case-sensitive.',
  parameters: [bytesParameter('value'), bytesParameter('start', { kind: 'Any' })],
  uses: everywhere,
  resultType: result(boolType),
  prepare: () => (value: string | undefined, start: string | undefined) =>
    start === undefined ? undefined : value?.startsWith(start),
};
