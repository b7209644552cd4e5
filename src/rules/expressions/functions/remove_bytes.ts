import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

export const remove_bytes: FunctionDefinition = {
  name: 'remove_bytes',
  summary: 'The value without any of these bytes, at any position.',
  parameters: [bytesParameter('value'), bytesParameter('bytes', { kind: 'Any' })],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => removeBytes,
};

function removeBytes(value: string | undefined, bytes: string | undefined): string | undefined {
  if (value === undefined || bytes === undefined) return undefined;
  const removed = new Set(bytes);
  let kept = '';
  for (const byte of value) if (!removed.has(byte)) kept += byte;
  return kept;
}
