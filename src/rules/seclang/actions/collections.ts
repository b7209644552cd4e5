/** Actions that write variables and collections of the request. */
import { Template } from '../template.ts';
import type { ValueAction, ReadAction } from './action.ts';

/**
 * `tx.score=+5`, `tx.score=-1`, `tx.name=text`, `tx.flag` (1), `!tx.name` (removed). Names and values may contain
 * macros.
 */
export const setvar: ReadAction = (draft, argument) => {
  draft.assignments.push(argument);
  draft.actions.push(readAssignment(argument));
};

function readAssignment(argument: string): ValueAction {
  const found = /^(!?)([A-Za-z_]+)[.:]([^=]+)(=?)([^]*)$/.exec(argument);
  if (found === null) throw new RangeError(`setvar needs collection.name=value, not "${argument}"`);
  const collection = found[2]!.toUpperCase();
  const name = new Template(found[3]!.trim());
  const isRemoval = found[1] === '!';
  const written = found[4] === '' ? '1' : found[5]!;
  const sign = /^[+-]/.exec(written)?.[0];
  const value = new Template(sign === undefined ? written : written.slice(1));
  const constantKey = name.constant?.toLowerCase();
  return {
    writes: { collection, name },
    perform: (scope) => {
      const key = constantKey ?? name.expand(scope).toLowerCase();
      if (isRemoval) return scope.setVariable(collection, key, undefined);
      const text = value.constant ?? value.expand(scope);
      if (sign === undefined) return scope.setVariable(collection, key, text);
      const sum = toNumber(scope.lookUp(collection, key)) + (sign === '+' ? 1 : -1) * toNumber(text);
      return scope.setVariable(collection, key, String(sum));
    },
  };
}

function toNumber(text: string): number {
  const number = Number.parseInt(text, 10);
  return Number.isNaN(number) ? 0 : number;
}

/** `name=value` in ENV, which later rules can read. It has no effect outside of the request. */
export const setenv: ReadAction = (draft, argument) => {
  const found = /^!?([^=]+)=?([^]*)$/.exec(argument);
  if (found === null) throw new RangeError(`setenv needs name=value, not "${argument}"`);
  const [name, value] = [new Template(found[1]!), new Template(found[2]!)];
  draft.actions.push({
    perform: (scope) => scope.setVariable('ENV', name.expand(scope).toLowerCase(), value.expand(scope)),
  });
};

/** `ip=%{remote_addr}`: the record with this name becomes the collection, and outlives the request. */
export const initcol: ReadAction = (draft, argument) => {
  const found = /^([A-Za-z_]+)=([^]+)$/.exec(argument);
  if (found === null) throw new RangeError(`initcol needs collection=name, not "${argument}"`);
  const collection = found[1]!.toUpperCase();
  const name = new Template(found[2]!);
  draft.actions.push({ perform: (scope) => scope.openCollection(collection, name.expand(scope)) });
};

/** `ip.flag=600`: the value expires after this many seconds. */
export const expirevar: ReadAction = (draft, argument) => {
  const found = /^([A-Za-z_]+)[.:]([^=]+)=([^]+)$/.exec(argument);
  if (found === null) throw new RangeError(`expirevar needs collection.name=seconds, not "${argument}"`);
  const collection = found[1]!.toUpperCase();
  const [name, seconds] = [new Template(found[2]!), new Template(found[3]!)];
  draft.actions.push({
    perform: (scope) =>
      scope.expireVariable(collection, name.expand(scope).toLowerCase(), Number(seconds.expand(scope)) || 0),
  });
};
