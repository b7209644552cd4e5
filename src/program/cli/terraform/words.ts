/**
 * Conversions of parts of the API's objects. Provider 3 writes some flags as words, because it cannot distinguish
 * `false` from an absent flag.
 */
import type { HclValue, HclFields } from './hcl.ts';

export function toWord(flag: boolean): string {
  return flag ? 'enabled' : 'disabled';
}

/** Every flag of an object becomes a word. */
export function withWords(fields: HclFields): HclFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'boolean' ? toWord(value) : value]),
  );
}

/** Drops empty fields: the providers read an empty text as an absent one. */
export function pick(
  value: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, HclValue>> {
  const entries = names.flatMap((name): [string, HclValue][] => {
    const field = value[name];
    return field === undefined || field === null || field === '' ? [] : [[name, field as HclValue]];
  });
  return Object.fromEntries(entries);
}
