/** Flags as provider 3 writes some of them, because it cannot tell `false` from a flag that is not there. */
import type { HclValue } from './hcl.ts';

type Fields = Readonly<Record<string, HclValue>>;

export function toWord(flag: boolean): string {
  return flag ? 'enabled' : 'disabled';
}

/** Every flag of an object becomes a word. */
export function withWords(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'boolean' ? toWord(value) : value]),
  );
}
