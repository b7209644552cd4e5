import type { ActionDefinition } from '../action.ts';

export const tag: ActionDefinition = {
  name: 'tag',
  read: (draft, argument) => {
    draft.tags.push(argument);
  },
};
