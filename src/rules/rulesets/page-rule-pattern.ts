/**
 * The URL patterns of page rules and URI-based overrides: `*example.com/images/*`. Scheme and port are optional;
 * without them, any value matches. A star matches any characters of the part it is written in: one in the host never
 * reaches into the path, so that visitors cannot make a rule match by what they write after a question mark. The rest
 * of the pattern is compared with path and query together. Upper and lower case are equivalent.
 *
 * The meaning of a pattern is defined by the expression it is translated to; matching a URL evaluates that expression,
 * compiled.
 */
import { assert } from '#base';
import { bytesOf } from '#text';
import { compile, parse, RequestView, type Value } from '#expressions';

/** An expression has 4,096 characters; this leaves room for the rest of its conditions. */
const pagePatternCharactersMax = 1024;

/** Cloudflare's limit. */
const pagePatternStarsMax = 4;

export interface PagePattern {
  readonly scheme: 'http' | 'https' | undefined;
  /** In lower case. */
  readonly host: string;
  readonly port: number | undefined;
  /** Path and query; starts with a slash or a star. */
  readonly uri: string;
}

export type PagePatternResult =
  | { readonly ok: true; readonly pattern: PagePattern }
  /** The end of a sentence about the pattern. */
  | { readonly ok: false; readonly reason: string };

/** The URL of a request, as rules see it. */
export interface PageUrl {
  readonly scheme: 'http' | 'https';
  /** In lower case, without a port. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Without the `?`; undefined if there is none, which differs from an empty one. */
  readonly query: string | undefined;
}

const form = /^(?:(https?|http\*|\*):\/\/)?([^/:?]*)(?::([^/?]*))?(.*)$/is;
const hostForm = /^(?:[a-z0-9_*-]{1,63}\.)*[a-z0-9_*-]{1,63}$/;
/** Visible ASCII that a URL can contain. */
const uriForm = /^[/*][!$-;=?-Z_a-z~]*$/;

export function readPagePattern(text: string): PagePatternResult {
  if (text.length > pagePatternCharactersMax) {
    return refuse(`must have at most ${pagePatternCharactersMax} characters: it has ${text.length}`);
  }
  if (text.includes('**')) return refuse('must not have two stars in a row: one matches as much');
  if (text.split('*').length - 1 > pagePatternStarsMax) {
    return refuse(`must have at most ${pagePatternStarsMax} stars`);
  }
  if (/^(?!https?:|http\*:|\*:)[^/?]*:\/\//i.test(text))
    return refuse('must have the scheme http:// or https://, or none');
  const [, scheme = '*', authority = '', port, rest = ''] = form.exec(text)!;
  const { host, uri } = splitHost(authority, rest);
  if (!hostForm.test(host.toLowerCase())) {
    return refuse('must begin with a host name, in which stars are allowed; others than ASCII in Punycode');
  }
  if (port !== undefined && !isPort(port)) return refuse('must have a port from 1 to 65535, or none');
  if (!uriForm.test(uri)) {
    return refuse(
      'must have a path that begins with / and has only characters of URLs: encode others as %XX',
    );
  }
  return {
    ok: true,
    pattern: {
      scheme: scheme.includes('*') ? undefined : (scheme.toLowerCase() as 'http' | 'https'),
      host: host.toLowerCase(),
      port: port === undefined ? undefined : Number(port),
      uri,
    },
  };
}

/** `example.com*` means every page of the host: a star at the very end matches what comes after it. */
function splitHost(authority: string, rest: string): { readonly host: string; readonly uri: string } {
  if (rest !== '') return { host: authority, uri: rest };
  if (authority.length > 1 && authority.endsWith('*')) return { host: authority.slice(0, -1), uri: '*' };
  return { host: authority, uri: authority === '*' ? '/*' : '/' };
}

function refuse(reason: string): PagePatternResult {
  return { ok: false, reason };
}

function isPort(digits: string): boolean {
  return /^[1-9]\d{0,4}$/.test(digits) && Number(digits) <= 65_535;
}

/** The form that is stored and compared: `Example.com` and `example.com/` are one pattern. */
export function formatPagePattern({ scheme, host, port, uri }: PagePattern): string {
  return `${scheme === undefined ? '' : `${scheme}://`}${host}${port === undefined ? '' : `:${port}`}${uri}`;
}

/** The expression that matches the same requests as the pattern. The pattern must be valid. */
export function pagePatternToExpression(text: string): string {
  const read = readPagePattern(text);
  if (!read.ok) throw new RangeError(`a page pattern ${read.reason}`);
  const { scheme, host, port, uri } = read.pattern;
  const conditions: string[] = [];
  if (scheme !== undefined) conditions.push(scheme === 'https' ? 'ssl' : 'not ssl');
  if (host !== '*') conditions.push(`http.host ${host.includes('*') ? 'wildcard' : 'eq'} "${host}"`);
  if (port !== undefined) conditions.push(`cf.edge.server_port eq ${port}`);
  if (uri !== '/*' && uri !== '*') conditions.push(`http.request.uri wildcard "${uri}"`);
  return conditions.length === 0 ? 'true' : `(${conditions.join(' and ')})`;
}

/** Expressions that return what each star of a pattern matches in a URL, in the order of the pattern. */
export function listPagePatternStars(text: string): string[] {
  const read = readPagePattern(text);
  if (!read.ok) throw new RangeError(`a page pattern ${read.reason}`);
  const scheme = /^(http)?\*:\/\//i.exec(text);
  const ofScheme =
    scheme === null
      ? []
      : [`regex_replace(http.request.full_uri, "^${scheme[1] ?? ''}([a-z]*):.*$", "\${1}")`];
  const { host, uri } = read.pattern;
  return [...ofScheme, ...listStars('http.host', host), ...listStars('http.request.uri', uri)];
}

function listStars(field: string, pattern: string): string[] {
  const count = pattern.split('*').length - 1;
  return Array.from(
    { length: count },
    (_, star) => `wildcard_replace(${field}, "${pattern}", "\${${star + 1}}")`,
  );
}

/** Takes time proportional to the length of the URL. */
export function compilePagePattern(text: string): (url: PageUrl) => boolean {
  const parsed = parse(pagePatternToExpression(text));
  assert(parsed.ok, `the expression of a page pattern cannot be read: ${text}`);
  const isMatch = compile(parsed.tree);
  return (url) => isMatch(new RequestView({ read: (key) => valueOf(url, key) }));
}

function valueOf({ scheme, host, port, path, query }: PageUrl, key: string): Value | undefined {
  if (key === 'http.host') return bytesOf(host);
  if (key === 'http.request.uri') return bytesOf(query === undefined ? path : `${path}?${query}`);
  if (key === 'cf.edge.server_port') return port;
  return key === 'ssl' ? scheme === 'https' : undefined;
}
