import { AssertionError } from 'node:assert';

/** States what must hold if our own code is right. A failure is a bug in Gatehouse, never the caller's mistake. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new AssertionError({ message: `bug in gatehouse: ${message}`, stackStartFn: assert });
  }
}
