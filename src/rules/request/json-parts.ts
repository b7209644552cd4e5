/**
 * The values and names of a JSON text with their paths. For a truncated or damaged text, those before the damage,
 * because rules inspect such bodies as well.
 */
import { decodeJsonEscapes } from '#detection';
import type { NamedPart } from './named-part.ts';

/** Deeper values have the name of their container. */
const depthMax = 32;

interface Container {
  /** The most recent name. */
  key: string;
  index: number;
  readonly isArray: boolean;
}

/** By its media type or by its first characters: many applications parse JSON whatever its type. */
export function looksLikeJson(mediaType: string, body: string): boolean {
  return /[/+]json$/.test(mediaType) || /^\s{0,64}[[{"]/.test(body);
}

export function listJsonParts(text: string, partsMax: number): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  const open: Container[] = [];
  /** An unclosed string extends to the end of the text. */
  const token = /\s*(?:([{}[\],:])|"((?:[^"\\]|\\[^])*)(?:"|\\?$)|([^\s{}[\],:"]+))/gy;
  let isName = false;
  for (let found = token.exec(text); found !== null && parts.length < partsMax; found = token.exec(text)) {
    const [, mark, string, scalar] = found;
    if (mark === undefined) {
      const value = string ?? scalar!;
      const end = token.lastIndex - (string !== undefined && text[token.lastIndex - 1] === '"' ? 1 : 0);
      const at = Math.max(found.index, end - value.length);
      const decoded = decodeJsonEscapes(value);
      const container = open.at(-1);
      if (isName && container !== undefined) container.key = decoded;
      parts.push({
        kind: isName ? 'JSON name' : 'JSON value',
        name: formatPath(open),
        value,
        decoded,
        piece: value,
        at: { piece: at, value: at },
      });
    } else if (mark === '{' || mark === '[') open.push({ key: '', index: 0, isArray: mark === '[' });
    else if (mark === '}' || mark === ']') open.pop();
    else if (mark === ',' && open.length > 0) open.at(-1)!.index += 1;
    const container = open.at(-1);
    isName = container?.isArray === false && (mark === '{' || mark === ',');
  }
  return parts;
}

/** `items[3].note` */
function formatPath(open: readonly Container[]): string {
  return open
    .slice(0, depthMax)
    .map(({ isArray, index, key }, depth) => (isArray ? `[${index}]` : depth === 0 ? key : `.${key}`))
    .join('');
}
