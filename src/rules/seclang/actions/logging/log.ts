import type { ActionDefinition } from '../action.ts';

export const log: ActionDefinition = {
  name: 'log',
  read: (draft) => {
    draft.isLogged = true;
  },
};
