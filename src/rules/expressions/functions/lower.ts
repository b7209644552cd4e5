import { lowerAscii } from '#text';
import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** Changes ASCII letters only: other bytes belong to multi-byte characters, or to none. */
export const lower: FunctionDefinition = {
  name: 'lower',
  summary: 'The value with every ASCII letter in lower case.',
  parameters: [bytesParameter('value')],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => (value: string | undefined) => (value === undefined ? undefined : lowerAscii(value)),
};
