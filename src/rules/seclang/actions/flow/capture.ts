import type { ActionDefinition } from '../action.ts';

export const capture: ActionDefinition = {
  name: 'capture',
  read: (draft) => {
    draft.captures = true;
  },
};
