/** Describes the problems in the form of a body. */
import { genericCodes } from './codes/generic.ts';
import { entryOf, Fault } from './fault.ts';
import type { Problem } from '#shapes';

/** `api` is that of the operation. There is at least one problem. */
export function malformed(api: string, problems: readonly Problem[]): Fault {
  const { invalidJson } = genericCodes;
  const entries = problems.map(({ pointer, message }) =>
    entryOf(invalidJson, { pointer, fill: { api, reason: `${nameOf(pointer)} ${message}` } }),
  );
  return new Fault(invalidJson.status, entries);
}

/** The last key of the pointer, for people who do not read JSON pointers. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the body';
  const last = pointer.slice(pointer.lastIndexOf('/') + 1);
  return /^\d+$/.test(last) ? `item ${last}` : last;
}
