import { isUtf8 } from 'node:buffer';
import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** Matches a value that is not UTF-8, including overlong forms and surrogates. */
export const validateUtf8Encoding: OperatorDefinition = {
  name: 'validateutf8encoding',
  prepare: () => ({ test: (value) => !isUtf8(Buffer.from(value, 'latin1')), capture: captureWhole }),
};
