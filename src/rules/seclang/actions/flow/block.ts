import type { ActionDefinition } from '../action.ts';

/** What the phase's SecDefaultAction does. */
export const block: ActionDefinition = {
  name: 'block',
  read: (draft) => {
    draft.disruption = 'block';
  },
};
