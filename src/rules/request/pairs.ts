/** Names with values in order of arrival, including repeats, and the two lists and the map that fields show of them. */
import { visitPairs } from '#text';
import type { Value } from '#expressions';

export type Pairs = readonly (readonly [name: string, value: string])[];

export const listNames = (pairs: Pairs): readonly string[] => pairs.map(([name]) => name);

export const listValues = (pairs: Pairs): readonly string[] => pairs.map(([, value]) => value);

/** Values that share a name are listed together under it. Names are in order of arrival; only `[*]` has to sort them. */
export function toMap(pairs: Pairs): ReadonlyMap<string, Value> {
  const map = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const values = map.get(name);
    if (values === undefined) map.set(name, [value]);
    else values.push(value);
  }
  return map;
}

/** Splits `a=1&b&a=2` without decoding it. A name without `=` has the value `""`; empty parts are ignored. */
export function parseQuery(query: string): Pairs {
  const pairs: (readonly [string, string])[] = [];
  visitPairs(query, (start, nameEnd, valueStart, end) =>
    pairs.push([query.slice(start, nameEnd), query.slice(valueStart, end)]),
  );
  return pairs;
}

/** The text before the first separator and the text after it. */
export function splitAt(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
