import { findScript } from '../../detect/markup.ts';
import type { OperatorDefinition } from '../operator.ts';

export const detectXSS: OperatorDefinition = {
  name: 'detectxss',
  prepare: () => ({
    test: (value) => findScript(value) !== undefined,
    capture: (value) => [findScript(value)],
  }),
};
