import { captureWhole, type OperatorDefinition } from '../operator.ts';

/** The country of an address is filled into GEO before rules run, so the look-up succeeds if there is one. */
export const geoLookup: OperatorDefinition = {
  name: 'geolookup',
  prepare: () => ({
    readsRequest: true,
    test: (_, scope) => scope.lookUp('GEO', 'country_code') !== '',
    capture: captureWhole,
  }),
};
