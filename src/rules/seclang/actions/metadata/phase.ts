import type { Phase } from '../../phase.ts';
import type { ActionDefinition } from '../action.ts';

const phaseOf: Readonly<Record<string, Phase>> = {
  1: 1,
  2: 2,
  3: 3,
  4: 4,
  5: 5,
  request: 2,
  response: 4,
  logging: 5,
};

export const phase: ActionDefinition = {
  name: 'phase',
  read: (draft, argument) => {
    const found = phaseOf[argument.toLowerCase()];
    if (found === undefined)
      throw new RangeError(`phase needs 1 to 5, request, response or logging, not "${argument}"`);
    draft.phase = found;
  },
};
