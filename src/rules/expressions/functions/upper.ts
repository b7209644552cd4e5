import { upperAscii } from '#text';
import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** Changes ASCII letters only, like `lower`. */
export const upper: FunctionDefinition = {
  name: 'upper',
  summary: 'The value with every ASCII letter in upper case.',
  parameters: [bytesParameter('value')],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => (value: string | undefined) => (value === undefined ? undefined : upperAscii(value)),
};
