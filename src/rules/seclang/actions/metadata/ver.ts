import type { ActionDefinition } from '../action.ts';

export const ver: ActionDefinition = {
  name: 'ver',
  read: (draft, argument) => {
    draft.version = argument;
  },
};
