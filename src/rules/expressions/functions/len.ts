import type { FunctionDefinition } from '../ast.ts';
import { everywhere, result } from '../parameters.ts';
import { bytesType, intType } from '../types.ts';
import type { Value } from '../values.ts';

/** Nil has no length, so `len(x) ge 0` tests whether x exists. */
export const len: FunctionDefinition = {
  name: 'len',
  summary: 'How many bytes a value has, or how many elements an array.',
  parameters: [{ name: 'value', kind: 'Field', types: [bytesType, 'Array'] }],
  uses: everywhere,
  resultType: result(intType),
  prepare: () => (value: string | readonly Value[] | undefined) => value?.length,
};
