import type { ActionDefinition } from '../action.ts';

export const t: ActionDefinition = {
  name: 't',
  read: (draft, argument) => {
    const name = argument.toLowerCase();
    if (name === 'none') {
      draft.transformations = [];
      draft.dropsTransformations = true;
    } else {
      draft.transformations.push(name);
    }
  },
};
