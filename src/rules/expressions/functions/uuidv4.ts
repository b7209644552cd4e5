import { hash } from 'node:crypto';
import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** The same for every call in one request, because the random bytes belong to the request. */
export const uuidv4: FunctionDefinition = {
  name: 'uuidv4',
  summary: 'A random UUID of version 4, made from the random bytes of the request.',
  parameters: [bytesParameter('seed', { fields: ['cf.random_seed'] })],
  uses: ['rewrite'],
  resultType: result(bytesType),
  prepare: () => (seed: string | undefined) => (seed === undefined ? undefined : formatUuid(seed)),
};

function formatUuid(seed: string): string {
  const bytes = hash('sha256', Buffer.from(seed, 'latin1'), 'buffer').subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
