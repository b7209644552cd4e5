import type { FunctionDefinition } from '../ast.ts';
import { splitItemsMax } from '../limits.ts';
import { bytesParameter, everywhere, createIntCheck, intParameter, result } from '../parameters.ts';
import { arrayOf, bytesType } from '../types.ts';

export const split: FunctionDefinition = {
  name: 'split',
  summary: 'The pieces between separators, at most this many; the last contains the rest.',
  parameters: [
    bytesParameter('value'),
    bytesParameter('separator', {
      kind: 'Literal',
      checkBytes: (literal) => (literal === '' ? 'expected a separator that is not empty' : undefined),
    }),
    intParameter('limit', { kind: 'Literal', checkInt: createIntCheck(1, splitItemsMax) }),
  ],
  uses: everywhere,
  resultType: result(arrayOf(bytesType)),
  prepare: () => splitValue,
};

function splitValue(
  value: string | undefined,
  separator: string,
  limit: number,
): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const pieces: string[] = [];
  let start = 0;
  while (pieces.length < limit - 1) {
    const end = value.indexOf(separator, start);
    if (end === -1) break;
    pieces.push(value.slice(start, end));
    start = end + separator.length;
  }
  pieces.push(value.slice(start));
  return pieces;
}
