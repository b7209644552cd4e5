import type { ActionDefinition } from '../action.ts';

export const redirect: ActionDefinition = {
  name: 'redirect',
  read: (draft, argument) => {
    draft.disruption = 'redirect';
    draft.location = argument;
  },
};
