import { findScript, signsOfMarkup } from '../../detect/markup.ts';
import type { OperatorDefinition } from '../operator.ts';

export const detectXSS: OperatorDefinition = {
  name: 'detectxss',
  prepare: () => ({
    literals: { literals: signsOfMarkup, ignoreCase: false },
    test: (value) => findScript(value) !== undefined,
    capture: (value) => [findScript(value)],
  }),
};
