import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** Asks no name server, because a request must not wait for one: it never matches. */
export const rbl: OperatorDefinition = {
  name: 'rbl',
  prepare: () => ({ test: () => false, capture: captureWhole }),
};
