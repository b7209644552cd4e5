import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** The standard alphabet, with or without padding. */
export const decode_base64: FunctionDefinition = {
  name: 'decode_base64',
  summary: 'The value decoded from Base64; nil if it is not Base64.',
  parameters: [bytesParameter('value')],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: () => decodeBase64,
};

function decodeBase64(value: string | undefined): string | undefined {
  if (value === undefined || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return undefined;
  const digitCount = value.indexOf('=') === -1 ? value.length : value.indexOf('=');
  const isPadded = digitCount < value.length;
  if (digitCount % 4 === 1 || (isPadded && value.length % 4 !== 0)) return undefined;
  return Buffer.from(value, 'base64').toString('latin1');
}
