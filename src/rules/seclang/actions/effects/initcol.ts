import { Template } from '../../template.ts';
import type { ActionDefinition } from '../action.ts';

/** `ip=%{remote_addr}`: the record with this name becomes the collection, and outlives the request. */
export const initcol: ActionDefinition = {
  name: 'initcol',
  read: (draft, argument) => {
    const found = /^([A-Za-z_]+)=([^]+)$/.exec(argument);
    if (found === null) throw new RangeError(`initcol needs collection=name, not "${argument}"`);
    const collection = found[1]!.toUpperCase();
    const name = new Template(found[2]!);
    draft.actions.push({ perform: (scope) => scope.openCollection(collection, name.expand(scope)) });
  },
};
