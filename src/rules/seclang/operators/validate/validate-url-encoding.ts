import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** Matches a value with a `%` that is not followed by two hexadecimal digits. */
export const validateUrlEncoding: OperatorDefinition = {
  name: 'validateurlencoding',
  prepare: () => ({ test: (value) => /%(?![0-9A-Fa-f]{2})/.test(value), capture: captureWhole }),
};
