import type { ActionDefinition } from '../action.ts';

export const skip: ActionDefinition = {
  name: 'skip',
  read: (draft, argument) => {
    if (!/^\d{1,6}$/.test(argument)) throw new RangeError(`skip needs a number of rules, not "${argument}"`);
    draft.skip = Number(argument);
  },
};
