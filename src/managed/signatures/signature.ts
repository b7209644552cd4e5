/**
 * What a signature is, and the few places of a request that signatures look at. All signatures name a place in the same
 * words, so that a compiled list decodes and searches it once for all of them; a place that only one signature knew
 * would cost every request a pass of its own.
 */
import type { GroupName } from '../rule-groups.ts';

export interface Signature {
  /** Known under this id to the previous product; the id of the rule follows from it. */
  readonly legacyId: string;
  /** The id of the rule, where clients know it already. */
  readonly id?: string;
  readonly description: string;
  /** Tags that an override can name. */
  readonly categories: readonly string[];
  /** Of the previous product; the specials hold what belongs to no particular software. */
  readonly group?: GroupName;
  /** `block` unless stated. */
  readonly action?: 'log' | 'managed_challenge';
  /** A rule that is too noisy for most sites waits to be switched on. */
  readonly enabled?: boolean;
  readonly expression: string;
}

/** As received, because dot segments are what some signatures look for; decoded however deep it was encoded. */
export const path = 'url_decode(raw.http.request.uri.path, "ru")';
export const query = 'url_decode(raw.http.request.uri.query, "ru")';
export const cookie = 'url_decode(http.cookie, "ru")';
/** Forms are encoded, JSON is escaped, other bodies seldom hold either; undoing both serves all. */
export const body = 'url_decode(gatehouse.request.body.text, "ru")';
/** Path and query together, for patterns that span both. */
export const uri = 'url_decode(raw.http.request.uri, "ru")';
/** Still encoded: for what hides in the encoding itself. */
export const rawUri = 'raw.http.request.uri';
export const rawQuery = 'raw.http.request.uri.query';
/** Files, of which decoding would make something else. */
export const rawBody = 'http.request.body.raw';
export const host = 'http.host';
export const userAgent = 'http.user_agent';
export const method = 'http.request.method';
/** Every value of every header. */
export const headers = 'http.request.headers.values[*]';

/** Every value of one header, which is named in lower case. */
export function header(name: string): string {
  return `http.request.headers["${name}"][*]`;
}

/** Whether a pattern matches in one of the places, in whatever case. */
export function found(pattern: string, ...places: readonly string[]): string {
  const literal = rawString(`(?i)${pattern}`);
  return anyOf(places.map((place) => condition(place, `matches ${literal}`)));
}

/**
 * The same, for a pattern that needs a text which ordinary values lack. Looking for it first spares most values the
 * pattern, where the pattern itself has no telling words.
 */
export function foundWith(text: string, pattern: string, ...places: readonly string[]): string {
  const [contains, matches] = [`contains ${rawString(text)}`, `matches ${rawString(`(?i)${pattern}`)}`];
  return anyOf(places.map((place) => `(${condition(place, contains)} and ${condition(place, matches)})`));
}

/**
 * The same, for a pattern that needs another, simpler one to match: a pattern without nested repetition costs little
 * however long the value is, and spares most values the costly one.
 */
export function foundBehind(simple: string, pattern: string, ...places: readonly string[]): string {
  const [needed, matches] = [simple, pattern].map((each) => `matches ${rawString(`(?i)${each}`)}`);
  return anyOf(places.map((place) => `(${condition(place, needed!)} and ${condition(place, matches!)})`));
}

/** Whether a header is there at all. */
export function present(name: string): string {
  return `http.request.headers["${name}"][0] ge ""`;
}

/** Whether a text stands in one of the places, in exactly this case. */
export function holds(text: string, ...places: readonly string[]): string {
  const literal = rawString(text);
  return anyOf(places.map((place) => condition(place, `contains ${literal}`)));
}

function condition(place: string, test: string): string {
  return place.endsWith('[*]') ? `any(${place} ${test})` : `${place} ${test}`;
}

function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' or ')})`;
}

/** In as many `#` as it takes for the text not to end the literal. */
function rawString(text: string): string {
  let hashes = '';
  while (text.includes(`"${hashes}`)) hashes += '#';
  return `r${hashes}"${text}"${hashes}`;
}
