/** Fields computed from headers, besides their names and values. */
import { decodeUrlEscapes, lowerAscii, visitCookies } from '#text';
import { type Pairs, splitAt } from './pairs.ts';

/** All values of a header in one text, joined as a proxy would join them; `""` if there are none. */
export function joinHeader(headers: Pairs, name: string, separator = ', '): string {
  let text: string | undefined;
  for (const [other, value] of headers) {
    // Nearly all other names already differ in length.
    if (other.length !== name.length || lowerAscii(other) !== name) continue;
    text = text === undefined ? value : text + separator + value;
  }
  return text ?? '';
}

export function lowerNames(headers: Pairs): Pairs {
  return headers.map(([name, value]) => [lowerAscii(name), value] as const);
}

/** Names are decoded, values are as sent. */
export function parseCookies(header: string): Pairs {
  const pairs: (readonly [string, string])[] = [];
  visitCookies(header, (start, nameEnd, valueStart, end) => {
    const name = decodeUrlEscapes(header.slice(start, nameEnd), { keepsPlus: true });
    pairs.push([name, header.slice(valueStart, end)]);
  });
  return pairs;
}

/** Language tags by weight, the highest first; tags of equal weight in the order sent. */
export function parseLanguages(header: string): readonly string[] {
  return header
    .split(',')
    .map((piece) => {
      const [tag, parameters] = splitAt(piece, ';');
      const weight = /^\s*q\s*=\s*([0-9.]+)/i.exec(parameters)?.[1];
      return { tag: tag.trim(), weight: weight === undefined ? 1 : Number(weight) || 0 };
    })
    .filter(({ tag }) => tag !== '' && tag !== '*')
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** `text/html; charset=utf-8` is `text/html`. For PHP, a blank or a comma also ends it. */
export function parseMediaType(contentType: string): string {
  return lowerAscii(/^[ \t]*([^;, \t]*)/.exec(contentType)![1]!);
}
