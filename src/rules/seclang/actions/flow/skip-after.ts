import type { ActionDefinition } from '../action.ts';

export const skipAfter: ActionDefinition = {
  name: 'skipafter',
  read: (draft, argument) => {
    draft.skipAfter = argument;
  },
};
