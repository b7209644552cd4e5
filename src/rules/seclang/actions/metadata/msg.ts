import type { ActionDefinition } from '../action.ts';

export const msg: ActionDefinition = {
  name: 'msg',
  read: (draft, argument) => {
    draft.message = argument;
  },
};
