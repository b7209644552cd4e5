import { AssertionError } from 'node:assert';

/** States what must hold if Gatehouse itself is correct. A failure is a bug in it, never the caller's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new AssertionError({ message: `bug in gatehouse: ${message}`, stackStartFn: assert });
  }
}
