/** What fields show of headers beside names and values. */
import { lowerAscii } from '#base';
import { type Pairs, splitAt } from './pairs.ts';

/** All values of a header in one text, as a proxy would join them; `""` without any. */
export function headerText(headers: Pairs, name: string, separator = ', '): string {
  let text: string | undefined;
  for (const [other, value] of headers) {
    // Nearly all other names differ in length already.
    if (other.length !== name.length || lowerAscii(other) !== name) continue;
    text = text === undefined ? value : text + separator + value;
  }
  return text ?? '';
}

export function withLowerNames(headers: Pairs): Pairs {
  return headers.map(([name, value]) => [lowerAscii(name), value] as const);
}

/** Names are decoded, values are as sent. */
export function cookiesOf(header: string): Pairs {
  return header
    .split(';')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '')
    .map((piece) => {
      const [name, value] = splitAt(piece, '=');
      return [decodeEscapes(name), value] as const;
    });
}

function decodeEscapes(bytes: string): string {
  return bytes.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Tags by weight, the heaviest first; those of one weight as sent. */
export function languagesOf(header: string): readonly string[] {
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

/** `text/html; charset=utf-8` is `text/html`. */
export function mediaTypeOf(contentType: string): string {
  return lowerAscii(splitAt(contentType, ';')[0].trim());
}

/** `name="x"; filename=y`: the value of one parameter, quotes removed. */
export function parameterOf(header: string, name: string): string | undefined {
  for (const [, key, quoted, plain] of header.matchAll(
    /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/gs,
  )) {
    if (lowerAscii(key!) === name) return quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '';
  }
  return undefined;
}
