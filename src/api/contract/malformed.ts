/** What is wrong with the form of a body, as an answer. */
import { genericCodes } from './codes/generic.ts';
import { entryOf, Fault } from './fault.ts';
import type { Problem } from '#shapes';

/** `api` is the operation's. There is at least one problem. */
export function malformed(api: string, problems: readonly Problem[]): Fault {
  const { invalidJson } = genericCodes;
  const entries = problems.map(({ pointer, message }) =>
    entryOf(invalidJson, { pointer, fill: { api, reason: `${nameOf(pointer)} ${message}` } }),
  );
  return new Fault(invalidJson.status, entries);
}

/** The last key of the path to it, for people who do not read pointers. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the body';
  const last = pointer.slice(pointer.lastIndexOf('/') + 1);
  return /^\d+$/.test(last) ? `item ${last}` : last;
}
