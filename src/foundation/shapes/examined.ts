/**
 * Something that is read for itself: what is wrong with its form comes along instead of ending the call, so that a handler
 * can name it together with what only the handler can find wrong.
 */
import { problemsMax } from './limits.ts';
import { pointerTo, type Problem, type Shape } from './shape.ts';

export interface Examined<T> {
  readonly pointer: string;
  /** A part of it means something only if no problem points there: ask `isFieldSound` and `isRestSound`. */
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

/** Whether a field of an object was read as its shape says, present or left out. */
export function isFieldSound(item: Examined<unknown>, field: string): boolean {
  return isRead(item) && item.problems.every(({ pointer }) => !isWithin(pointer, item, field));
}

/** Whether everything beside a field was. */
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
