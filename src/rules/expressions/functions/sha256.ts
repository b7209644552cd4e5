import { hash } from 'node:crypto';
import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

export const sha256: FunctionDefinition = {
  name: 'sha256',
  summary: 'The 32 bytes of the SHA-256 digest of the value.',
  parameters: [bytesParameter('value', { kind: 'Any' })],
  uses: ['rewrite'],
  resultType: result(bytesType),
  prepare: () => (value: string | undefined) =>
    value === undefined
      ? undefined
      : hash('sha256', Buffer.from(value, 'latin1'), 'buffer').toString('latin1'),
};
