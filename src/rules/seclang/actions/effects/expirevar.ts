import { Template } from '../../template.ts';
import type { ActionDefinition } from '../action.ts';

/** `ip.flag=600`: the value expires after this many seconds. */
export const expirevar: ActionDefinition = {
  name: 'expirevar',
  read: (draft, argument) => {
    const found = /^([A-Za-z_]+)[.:]([^=]+)=([^]+)$/.exec(argument);
    if (found === null) throw new RangeError(`expirevar needs collection.name=seconds, not "${argument}"`);
    const collection = found[1]!.toUpperCase();
    const [name, seconds] = [new Template(found[2]!), new Template(found[3]!)];
    draft.actions.push({
      perform: (scope) =>
        scope.expireVariable(
          collection,
          name.expand(scope).toLowerCase(),
          Number(seconds.expand(scope)) || 0,
        ),
    });
  },
};
