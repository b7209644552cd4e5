import { captureWhole, type OperatorDefinition } from '../operator.ts';

export const unconditionalMatch: OperatorDefinition = {
  name: 'unconditionalmatch',
  prepare: () => ({ test: () => true, capture: captureWhole }),
};
