/** The parts of a URI as fields show them. Everything is a binary string. */
import { lowerAscii } from '#base';

export interface UriParts {
  /** `https`, or `""` if the URI is only a path. */
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  /** Without the `?`; undefined if there is no query, which differs from an empty one. */
  readonly query: string | undefined;
}

/** Splits an absolute URI or a path with a query; a fragment is dropped. */
export function splitUri(uri: string): UriParts {
  const [, scheme = '', authority = '', path = '', query] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?/s.exec(uri)!;
  return { scheme: lowerAscii(scheme), authority, path: path === '' ? '/' : path, query };
}

export function joinUri({ path, query }: Pick<UriParts, 'path' | 'query'>): string {
  return query === undefined ? path : `${path}?${query}`;
}

/**
 * A path as rules see it, after RFC 3986: escapes of unreserved characters are decoded, other escapes are in upper case,
 * bytes that a path cannot contain are escaped, and `.` and `..` are resolved.
 */
export function normalizePath(path: string): string {
  // oxlint-disable-next-line no-control-regex
  const escaped = path.replaceAll(
    /%([0-9A-Fa-f]{2})|[\0- "<>[-^`{-\xff]/g,
    (found, hex: string | undefined) => {
      const byte = hex === undefined ? found : String.fromCharCode(Number.parseInt(hex, 16));
      if (hex !== undefined && /[A-Za-z0-9._~-]/.test(byte)) return byte;
      if (hex === undefined && (found === '[' || found === ']' || found === '~')) return found;
      return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
    },
  );
  return removeDotSegments(escaped);
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

/** The text after the last dot of the last segment; `""` for `/.mp3` and `/foo.`. */
export function findExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}
