/**
 * URL normalisation: one spelling for each path, so that rules and the origin read the same one. The names of types and
 * scopes are Cloudflare's. Paths are binary strings; a query is never changed.
 */

/** `cloudflare` first turns `\` into `/` and merges repeated slashes, and then does the same as `rfc3986`. */
export const urlNormalizationTypes = ['cloudflare', 'rfc3986'] as const;
export type UrlNormalizationType = (typeof urlNormalizationTypes)[number];

/** Which side gets the normalised path: rules alone, rules and the origin, or neither. */
export const urlNormalizationScopes = ['incoming', 'both', 'none'] as const;

export interface UrlNormalization {
  readonly type: UrlNormalizationType;
  readonly scope: (typeof urlNormalizationScopes)[number];
}

/** Cloudflare's default scope is `incoming`; with that, the origin would get a path that no rule has seen. */
export const defaultUrlNormalization: UrlNormalization = { type: 'cloudflare', scope: 'both' };

/**
 * A path that contains none of this is already normalised: an escape, a byte to escape, `//`, or a segment that starts
 * with a dot.
 */
// oxlint-disable-next-line no-control-regex
const unusual = /[\0- "%<>[-^`{-\xff]|\/[./]/;

/**
 * Escapes of unreserved characters are decoded, other escapes are in upper case, bytes that a path cannot contain are
 * escaped, and `.` and `..` are resolved. A `%` that does not start an escape is such a byte: left unchanged, it could
 * start one with the text after it once that is decoded (`%%361` would become `%61`).
 */
export function normalizePath(path: string, type: UrlNormalizationType): string {
  if (!unusual.test(path)) return path;
  const separated = type === 'cloudflare' ? mergeSlashes(path.replaceAll('\\', '/')) : path;
  return removeDotSegments(normalizeEscapes(separated));
}

export function mergeSlashes(path: string): string {
  return path.replaceAll(/\/{2,}/g, '/');
}

export function normalizeEscapes(path: string): string {
  return path.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /%([0-9A-Fa-f]{2})|[\0- "%<>\\^`{|}\x7f-\xff]/g,
    (found, hex: string | undefined) => {
      if (hex === undefined) return escapeByte(found.charCodeAt(0));
      const byte = Number.parseInt(hex, 16);
      const character = String.fromCharCode(byte);
      return /[A-Za-z0-9._~-]/.test(character) ? character : escapeByte(byte);
    },
  );
}

export function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function removeDotSegments(path: string): string {
  if (!path.includes('/.')) return path;
  const [root = '', ...segments] = path.split('/');
  const kept: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment === '..') kept.pop();
    else if (segment !== '.') kept.push(segment);
    // A dot segment at the end means a folder.
    if (isLast && (segment === '.' || segment === '..')) kept.push('');
  }
  return [root, ...kept].join('/');
}
