import type { ActionDefinition } from '../action.ts';

export const pass: ActionDefinition = {
  name: 'pass',
  read: (draft) => {
    draft.disruption = 'pass';
  },
};
