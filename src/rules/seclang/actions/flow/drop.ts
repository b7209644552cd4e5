import type { ActionDefinition } from '../action.ts';

/** Closes the connection without a response. */
export const drop: ActionDefinition = {
  name: 'drop',
  read: (draft) => {
    draft.disruption = 'drop';
  },
};
