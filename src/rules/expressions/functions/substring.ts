import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, intParameter, result } from '../parameters.ts';
import { bytesType } from '../types.ts';

/** Both positions count from 0, or back from the end if negative, and are clamped to the value. */
export const substring: FunctionDefinition = {
  name: 'substring',
  summary:
    'The bytes from a start up to, but not including, an end; to the end of the value if it is left out.',
  parameters: [
    bytesParameter('value'),
    intParameter('start', { kind: 'Any' }),
    intParameter('end', { kind: 'Any', isOptional: true }),
  ],
  uses: everywhere,
  resultType: result(bytesType),
  prepare:
    ({ length }) =>
    (value: string | undefined, start: number | undefined, end: number | undefined) => {
      const isMissing = start === undefined || (length > 2 && end === undefined);
      return isMissing ? undefined : value?.slice(start, end);
    },
};
