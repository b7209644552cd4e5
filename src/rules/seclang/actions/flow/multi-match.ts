import type { ActionDefinition } from '../action.ts';

/** Runs the operator on the value after each transformation, not only after the last. */
export const multiMatch: ActionDefinition = {
  name: 'multimatch',
  read: (draft) => {
    draft.isMultiMatch = true;
  },
};
