/** Names with values, in order of arrival and repeats kept, and the two lists and the map that fields show of them. */
import type { Value } from '#expressions';

export type Pairs = readonly (readonly [name: string, value: string])[];

export const namesOf = (pairs: Pairs): readonly string[] => pairs.map(([name]) => name);

export const valuesOf = (pairs: Pairs): readonly string[] => pairs.map(([, value]) => value);

/** Values that share a name stand together under it. Names come in order of arrival; only `[*]` has to sort them. */
export function mapOf(pairs: Pairs): ReadonlyMap<string, Value> {
  const map = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = map.get(name);
    if (values === undefined) map.set(name, [value]);
    else values.push(value);
  }
  return map;
}

/** `a=1&b&a=2`: split, not decoded. A name without `=` has the value `""`; empty pieces are nothing. */
export function pairsOfQuery(query: string): Pairs {
  return query
    .split('&')
    .filter((piece) => piece !== '')
    .map((piece) => splitAt(piece, '='));
}

/** What is before the first separator and what is after it. */
export function splitAt(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
