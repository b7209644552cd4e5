import type { ActionDefinition } from '../action.ts';

export const nolog: ActionDefinition = {
  name: 'nolog',
  read: (draft) => {
    draft.isLogged = false;
  },
};
