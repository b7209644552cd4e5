import type { ActionDefinition } from '../action.ts';

export const allow: ActionDefinition = {
  name: 'allow',
  read: (draft, argument) => {
    const scope = argument === '' ? 'all' : argument.toLowerCase();
    if (scope !== 'all' && scope !== 'phase' && scope !== 'request') {
      throw new RangeError(`allow needs phase, request or nothing, not "${argument}"`);
    }
    draft.disruption = 'allow';
    draft.allowScope = scope;
  },
};
