import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** Never matches: a request must not wait for a name server, so none is asked. */
export const rbl: OperatorDefinition = {
  name: 'rbl',
  prepare: () => ({ test: () => false, capture: captureWhole }),
};
