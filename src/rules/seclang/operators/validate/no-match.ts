import { captureWhole, type OperatorDefinition } from '../operator.ts';

export const noMatch: OperatorDefinition = {
  name: 'nomatch',
  prepare: () => ({ test: () => false, capture: captureWhole }),
};
