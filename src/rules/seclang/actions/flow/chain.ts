import type { ActionDefinition } from '../action.ts';

export const chain: ActionDefinition = {
  name: 'chain',
  read: (draft) => {
    draft.isChained = true;
  },
};
