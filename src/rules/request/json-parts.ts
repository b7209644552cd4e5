/**
 * The values and names of a JSON text with their paths. For a truncated or damaged text, those before the damage,
 * because rules inspect such bodies as well.
 */
import { decodeJsonEscapes, visitJson } from '#text';
import type { NamedPart } from './named-part.ts';

/** By its media type or by its first characters: many applications parse JSON whatever its type. */
export function looksLikeJson(mediaType: string, body: string): boolean {
  return /[/+]json$/.test(mediaType) || /^\s{0,64}[[{"]/.test(body);
}

/**
 * Whether an application reads the body as a form although it looks like JSON: most go by the type, and Rack takes a body
 * without a type for a form. Of valid JSON, a form shows no more than its strings.
 */
export function isFormBesideJson(mediaType: string, body: string): boolean {
  // A form without values is none: lines of JSON have no valid JSON either.
  if (!body.includes('=') || !/^(?:application\/x-www-form-urlencoded)?$/.test(mediaType)) return false;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return true;
  }
}

/** Deeper values have the name of their container. */
const depthMax = 32;

export function listJsonParts(text: string, partsMax: number): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  visitJsonPlaces(text, bracketed, ({ token, name, start, end }) => {
    if (parts.length >= partsMax) return;
    const value = text.slice(start, end);
    const kind = token === 'name' ? 'JSON name' : 'JSON value';
    const at = { piece: start, value: start };
    parts.push({ kind, name, value, decoded: decodeJsonEscapes(value), piece: value, at });
  });
  return parts;
}

/** `items[3].note` */
export const bracketed: PathStyle = {
  root: '',
  join: (path, part, depth) => {
    if (depth > depthMax) return path;
    if (typeof part === 'number') return `${path}[${part}]`;
    return depth === 1 ? part : `${path}.${part}`;
  },
};

interface PathStyle {
  /** The name of the whole document. */
  readonly root: string;
  /** Depth 1 is directly in the document. */
  readonly join: (path: string, part: string | number, depth: number) => string;
}

interface JsonPlace {
  readonly token: 'name' | 'string' | 'scalar';
  /** The path of the value; for a name, that of its own value. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

interface Container {
  readonly path: string;
  /** The most recent name. */
  key: string;
  index: number;
  readonly isArray: boolean;
}

/** Visits names and values, each with its path. Returns the depth of the document. */
export function visitJsonPlaces(
  text: string,
  { root, join }: PathStyle,
  visit: (place: JsonPlace) => void,
): number {
  let depth = 0;
  const open: Container[] = [];
  const formatPath = (): string => {
    const inner = open.at(-1);
    return inner === undefined
      ? root
      : join(inner.path, inner.isArray ? inner.index : inner.key, open.length);
  };
  visitJson(text, (token, start, end) => {
    const inner = open.at(-1);
    if (token === '{' || token === '[') {
      open.push({ path: formatPath(), key: '', index: 0, isArray: token === '[' });
      depth = Math.max(depth, open.length);
    } else if (token === '}' || token === ']') open.pop();
    else if (token !== ',') {
      if (token === 'name' && inner !== undefined) inner.key = decodeJsonEscapes(text.slice(start, end));
      visit({ token, name: formatPath(), start, end });
    } else if (inner !== undefined) inner.index += 1;
  });
  return depth;
}
