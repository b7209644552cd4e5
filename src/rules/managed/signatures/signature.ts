/**
 * The definition of a signature, and the few fields of a request that signatures read. All signatures spell a field in
 * the same way, so that a compiled list decodes and searches it once for all of them; a field that only one signature
 * used would cost every request a separate pass.
 */
import { sureMin } from '#detection';
import type { GroupName } from '../rule-groups.ts';

export interface Signature {
  /** The id of the rule in the legacy WAF; the id of the managed rule is derived from it. */
  readonly legacyId: string;
  /** The id of the rule, if clients already know it. */
  readonly id?: string;
  readonly description: string;
  /** Tags that an override can name. */
  readonly categories: readonly string[];
  /** The group in the legacy WAF; the specials contain signatures without particular software. */
  readonly group?: GroupName;
  /** `block` by default. */
  readonly action?: 'log' | 'managed_challenge';
  /** A rule that has too many false positives for most sites is off by default. */
  readonly enabled?: boolean;
  readonly expression: string;
  /**
   * For a rule about likely attacks: the corresponding rule for sure attacks, and the evidence that makes one sure:
   * scores of sound rules with one of these tags, in requests that match the expression.
   */
  readonly sure?: {
    readonly legacyId: string;
    readonly tags: readonly string[];
    readonly scoreMin: number;
    readonly expression: string;
  };
}

/** As received, because some signatures look for dot segments; decoded repeatedly. */
export const path = 'url_decode(raw.http.request.uri.path, "ru")';
export const query = 'url_decode(raw.http.request.uri.query, "ru")';
export const cookie = 'url_decode(http.cookie, "ru")';
/** Forms are URL-encoded, JSON is escaped, other bodies seldom contain either; decoding both works for all. */
export const body = 'url_decode(gatehouse.request.body.text, "ru")';
/** Path and query together, for patterns that span both. */
export const uri = 'url_decode(raw.http.request.uri, "ru")';
/** Not decoded: for attacks on the encoding itself. */
export const rawUri = 'raw.http.request.uri';
export const rawQuery = 'raw.http.request.uri.query';
/** For files, which decoding would change. */
export const rawBody = 'http.request.body.raw';
export const host = 'http.host';
export const userAgent = 'http.user_agent';
export const method = 'http.request.method';
/** Every value of every header. */
export const headers = 'http.request.headers.values[*]';

/** Every value of one header; the name is in lower case. */
export function readHeader(name: string): string {
  return `http.request.headers["${name}"][*]`;
}

/** An expression that is true if the pattern matches in one of the fields, ignoring case. */
export function matchAny(pattern: string, ...places: readonly string[]): string {
  const literal = quoteRaw(`(?i)${pattern}`);
  return joinWithOr(places.map((place) => buildCondition(place, `matches ${literal}`)));
}

/**
 * The same, for a pattern that requires a simpler one to match: a pattern without nested repetition is cheap for values
 * of any length, and saves running the expensive one on most values.
 */
export function matchAnyBehind(simple: string, pattern: string, ...places: readonly string[]): string {
  const [needed, matches] = [simple, pattern].map((each) => `matches ${quoteRaw(`(?i)${each}`)}`);
  return joinWithOr(
    places.map((place) => `(${buildCondition(place, needed!)} and ${buildCondition(place, matches!)})`),
  );
}

/**
 * An expression that is true only if the detector is sure as well: for patterns whose words also occur in ordinary
 * texts. The rule is then more specific about the attack than the detector's own.
 */
export function confirm(kind: string, expression: string): string {
  return `(${expression} and gatehouse.attack.${kind} ge ${sureMin})`;
}

/** An expression that is true if the header exists. */
export function hasHeader(name: string): string {
  return `http.request.headers["${name}"][0] ge ""`;
}

/** An expression that is true if one of the fields contains the text, in exactly this case. */
export function containsText(text: string, ...places: readonly string[]): string {
  const literal = quoteRaw(text);
  return joinWithOr(places.map((place) => buildCondition(place, `contains ${literal}`)));
}

function buildCondition(place: string, test: string): string {
  return place.endsWith('[*]') ? `any(${place} ${test})` : `${place} ${test}`;
}

function joinWithOr(conditions: readonly string[]): string {
  return conditions.length === 1 ? conditions[0]! : `(${conditions.join(' or ')})`;
}

/** With as many `#` as needed so that the text does not end the literal. */
function quoteRaw(text: string): string {
  let hashes = '';
  while (text.includes(`"${hashes}`)) hashes += '#';
  return `r${hashes}"${text}"${hashes}`;
}
