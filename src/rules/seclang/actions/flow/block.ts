import type { ActionDefinition } from '../action.ts';

/** Applies the action of the phase's SecDefaultAction. */
export const block: ActionDefinition = {
  name: 'block',
  read: (draft) => {
    draft.disruption = 'block';
  },
};
