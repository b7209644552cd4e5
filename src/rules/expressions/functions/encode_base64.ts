import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, readBytes, createFlagCheck, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

export const encode_base64: FunctionDefinition = {
  name: 'encode_base64',
  summary: 'The value in Base64, without padding. Options: u for the URL-safe alphabet, p for padding.',
  parameters: [
    bytesParameter('value', { kind: 'Any' }),
    bytesParameter('options', { kind: 'Literal', isOptional: true, checkBytes: createFlagCheck('u', 'p') }),
  ],
  uses: ['rewrite'],
  resultType: result(bytesType),
  prepare: ([, options]) => {
    const flags = readBytes(options);
    return (value: string | undefined) => (value === undefined ? undefined : encodeBase64(value, flags));
  },
};

function encodeBase64(value: string, flags: string): string {
  const text = Buffer.from(value, 'latin1').toString(flags.includes('u') ? 'base64url' : 'base64');
  const bare = text.replace(/=+$/, '');
  return flags.includes('p') ? bare.padEnd(Math.ceil(bare.length / 4) * 4, '=') : bare;
}
