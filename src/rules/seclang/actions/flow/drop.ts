import type { ActionDefinition } from '../action.ts';

/** The connection is closed without an answer. */
export const drop: ActionDefinition = {
  name: 'drop',
  read: (draft) => {
    draft.disruption = 'drop';
  },
};
