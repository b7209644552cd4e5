import type { ActionDefinition } from '../action.ts';

/** The operator looks at the value after each transformation, not only after the last. */
export const multiMatch: ActionDefinition = {
  name: 'multimatch',
  read: (draft) => {
    draft.isMultiMatch = true;
  },
};
