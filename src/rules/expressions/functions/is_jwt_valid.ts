import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { boolType } from '../types.ts';

/** The code that validates tokens sets a field that only this function reads. */
export const is_jwt_valid: FunctionDefinition = {
  name: 'is_jwt_valid',
  summary: 'Whether the request carries a valid token for this token configuration.',
  parameters: [bytesParameter('configuration_id', { kind: 'Literal' })],
  uses: everywhere,
  resultType: result(boolType),
  alsoReads: ['gatehouse.jwt.valid'],
  prepare: () => (id: string, tokens: ReadonlyMap<string, boolean>) => tokens.get(id) ?? false,
};
