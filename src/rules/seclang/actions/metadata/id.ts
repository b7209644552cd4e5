import type { ActionDefinition } from '../action.ts';

export const id: ActionDefinition = {
  name: 'id',
  read: (draft, argument) => {
    if (!/^\d{1,15}$/.test(argument)) throw new RangeError(`id needs a number, not "${argument}"`);
    draft.id = Number(argument);
  },
};
