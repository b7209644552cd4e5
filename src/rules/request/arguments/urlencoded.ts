/** `a=1&b=x%20y`, as queries and forms are written. */
import { decodeUrlEscapes } from '#base';
import type { RequestArgument } from './argument.ts';
import { argumentsMax } from '../limits.ts';

export interface Urlencoded {
  readonly list: readonly RequestArgument[];
  readonly isCut: boolean;
}

/** Escapes without two digits stay unchanged. A piece without `=` is a name with an empty value. */
export function readUrlencoded(text: string): Urlencoded {
  if (text === '') return { list: [], isCut: false };
  const pieces = text.split('&', argumentsMax + 1);
  const list: RequestArgument[] = [];
  for (const piece of pieces.slice(0, argumentsMax)) {
    if (piece === '') continue;
    const at = piece.indexOf('=');
    const name = at === -1 ? piece : piece.slice(0, at);
    list.push({
      name: decodeUrlEscapes(name),
      value: at === -1 ? '' : decodeUrlEscapes(piece.slice(at + 1)),
    });
  }
  return { list, isCut: pieces.length > argumentsMax };
}
