import type { ActionDefinition } from '../action.ts';

export const deny: ActionDefinition = {
  name: 'deny',
  read: (draft) => {
    draft.disruption = 'deny';
  },
};
