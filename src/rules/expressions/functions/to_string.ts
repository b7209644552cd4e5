import type { FunctionDefinition } from '../ast.ts';
import { result } from '../parameters.ts';
import { boolType, bytesType, intType, ipType } from '../types.ts';
import type { Ip } from '#addresses';

export const to_string: FunctionDefinition = {
  name: 'to_string',
  summary: 'A number in decimal, true or false, or an address in its canonical form.',
  parameters: [{ name: 'value', kind: 'Any', types: [boolType, intType, ipType] }],
  uses: ['rewrite'],
  resultType: result(bytesType),
  prepare: () => (value: number | boolean | Ip | undefined) => value?.toString(),
};
