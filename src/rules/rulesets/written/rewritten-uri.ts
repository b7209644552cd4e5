/** Paths and queries that rules write: characters that the target of a request cannot contain are escaped. */
import { readPath } from '#request';
import { rewrittenUriBytesMax } from '../limits.ts';

/** Without `?` and `#`, which would end the path. */
const notOfPath = /[^!"$-;<->@-~]/g;
const notOfQuery = /[^!"$-~]/g;

/** Undefined if it is empty, or longer than a target may be. Both are binary strings. */
export function writePath(path: string): string | undefined {
  if (path === '' || path.length > rewrittenUriBytesMax) return undefined;
  const escaped = path.replaceAll(notOfPath, escapeByte);
  const written = escaped.startsWith('/') ? escaped : `/${escaped}`;
  return written.length > rewrittenUriBytesMax ? undefined : written;
}

/** Without the `?`; empty for none. Undefined if it is longer than a target may be. */
export function writeQuery(query: string): string | undefined {
  if (query.length > rewrittenUriBytesMax) return undefined;
  const written = query.replaceAll(notOfQuery, escapeByte);
  return written.length > rewrittenUriBytesMax ? undefined : written;
}

export function escapeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The problem with a constant path, as the end of a sentence. */
export function checkPathText(path: string): string | undefined {
  if (!path.startsWith('/')) return 'it must begin with a slash';
  if (writePath(path) !== path)
    return 'it must be a path without a query: encode what cannot stand in it as %XX';
  const readings = readPath(path, { type: 'cloudflare', scope: 'both' });
  return 'problem' in readings ? `it is ambiguous: ${readings.problem}` : undefined;
}

export function checkQueryText(query: string): string | undefined {
  if (query.startsWith('?')) return 'it begins without the question mark';
  return writeQuery(query) === query ? undefined : 'encode what cannot stand in a query as %XX';
}
