/** `a=1&b=x%20y`, as queries and forms are written. */
import { decodeUrlEscapes, visitPairs } from '#text';
import type { RequestArgument } from './argument.ts';
import { argumentsMax } from '../limits.ts';

/** Escapes without two digits stay unchanged. */
export function readUrlencoded(text: string): readonly RequestArgument[] {
  const list: RequestArgument[] = [];
  visitPairs(
    text,
    (start, nameEnd, valueStart, end) =>
      list.push({
        name: decodeUrlEscapes(text.slice(start, nameEnd)),
        value: decodeUrlEscapes(text.slice(valueStart, end)),
      }),
    { pairsMax: argumentsMax },
  );
  return list;
}
