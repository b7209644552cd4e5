import { Template } from '../../template.ts';
import type { ActionDefinition } from '../action.ts';

/** `name=value` in ENV, which later rules can read. It has no effect outside of the request. */
export const setenv: ActionDefinition = {
  name: 'setenv',
  read: (draft, argument) => {
    const found = /^!?([^=]+)=?([^]*)$/.exec(argument);
    if (found === null) throw new RangeError(`setenv needs name=value, not "${argument}"`);
    const [name, value] = [new Template(found[1]!), new Template(found[2]!)];
    draft.actions.push({
      perform: (scope) => scope.setVariable('ENV', name.expand(scope).toLowerCase(), value.expand(scope)),
    });
  },
};
