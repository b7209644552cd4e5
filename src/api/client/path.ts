/** Paths of the contract, filled in. */
import type { QueryValue } from './calls.ts';

/** `/zones/{zone_id}` with its names replaced, followed by the query. Empty and undefined parameters are omitted. */
export function fillPath(
  path: string,
  names: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = names[name];
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`a call of ${path} needs ${name}: it is ${JSON.stringify(value)}`);
    return encodeURIComponent(value);
  });
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)]),
  );
  if (pairs.length === 0) return filled;
  return `${filled}${filled.includes('?') ? '&' : '?'}${new URLSearchParams(pairs).toString()}`;
}
