import { inspect } from 'node:util';

/** A stored value as text for people. */
export function showValue(value: unknown): string {
  return inspect(value, {
    depth: 20,
    maxArrayLength: 1_000,
    maxStringLength: 100_000,
    breakLength: Infinity,
  });
}
