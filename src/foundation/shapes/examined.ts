/**
 * A part of the input that is read separately: its problems are returned instead of ending the call, so that a handler
 * can report them together with those that only the handler can find.
 */
import { problemsMax } from './limits.ts';
import { pointerTo, type Problem, type Shape } from './shape.ts';

export interface Examined<T> {
  readonly pointer: string;
  /** A part of it is meaningful only if no problem points there: use `isFieldSound` and `isRestSound`. */
  readonly value: T;
  readonly problems: readonly Problem[];
}

export function examined<T, Sent>(shape: Shape<T, Sent>): Shape<Examined<T>, Sent> {
  return {
    schema: shape.schema,
    read(value, pointer) {
      const problems: Problem[] = [];
      return { pointer, value: shape.read(value, pointer, problems), problems };
    },
  };
}

/** Whether a field of an object was valid by its shape, present or left out. */
export function isFieldSound(item: Examined<unknown>, field: string): boolean {
  return isRead(item) && item.problems.every(({ pointer }) => !isWithin(pointer, item, field));
}

/** Whether everything except the field was valid. */
export function isRestSound(item: Examined<unknown>, field: string): boolean {
  return isRead(item) && item.problems.every(({ pointer }) => isWithin(pointer, item, field));
}

/** Whether it is an object, and was read to its end. */
function isRead({ pointer: own, problems }: Examined<unknown>): boolean {
  return problems.length < problemsMax && problems.every(({ pointer }) => pointer !== own);
}

function isWithin(pointer: string, item: Examined<unknown>, field: string): boolean {
  const place = pointerTo(item.pointer, field);
  return pointer === place || pointer.startsWith(`${place}/`);
}
