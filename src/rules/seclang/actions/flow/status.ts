import type { ActionDefinition } from '../action.ts';

export const status: ActionDefinition = {
  name: 'status',
  read: (draft, argument) => {
    if (!/^[1-5]\d\d$/.test(argument)) throw new RangeError(`status needs a status code, not "${argument}"`);
    draft.status = Number(argument);
  },
};
