import type { ActionDefinition } from '../action.ts';

export const logdata: ActionDefinition = {
  name: 'logdata',
  read: (draft, argument) => {
    draft.logData = argument;
  },
};
