/** The parts of a URI as fields show them. Everything is a binary string. */
import { lowerAscii } from '#text';

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

/** The text after the last dot of the last segment; `""` for `/.mp3` and `/foo.`. */
export function findExtension(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1);
}
