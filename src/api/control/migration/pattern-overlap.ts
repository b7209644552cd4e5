/**
 * Whether two URL patterns can match the same URL. May return true although no such URL exists, never the other way
 * round. The time is proportional to the length of the patterns.
 */
import type { PagePattern } from '#rulesets';

export function mayOverlap(a: PagePattern, b: PagePattern): boolean {
  return (
    mayEqual(a.scheme, b.scheme) &&
    mayEqual(a.port, b.port) &&
    mayMeet(parseStarred(a.host), parseStarred(b.host)) &&
    mayMeet(parseStarred(a.uri), parseStarred(b.uri))
  );
}

/** Undefined means any value. */
function mayEqual<T>(a: T | undefined, b: T | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** A pattern with stars, of which only the text before the first star and after the last is compared. */
interface Starred {
  readonly text: string;
  readonly hasStar: boolean;
  readonly prefix: string;
  readonly suffix: string;
}

function parseStarred(pattern: string): Starred {
  const text = pattern.toLowerCase();
  const first = text.indexOf('*');
  return {
    text,
    hasStar: first >= 0,
    prefix: first < 0 ? text : text.slice(0, first),
    suffix: text.slice(text.lastIndexOf('*') + 1),
  };
}

function mayMeet(a: Starred, b: Starred): boolean {
  if (a.hasStar && b.hasStar) {
    const isPrefix = a.prefix.startsWith(b.prefix) || b.prefix.startsWith(a.prefix);
    return isPrefix && (a.suffix.endsWith(b.suffix) || b.suffix.endsWith(a.suffix));
  }
  if (!a.hasStar && !b.hasStar) return a.text === b.text;
  const [literal, pattern] = a.hasStar ? [b, a] : [a, b];
  return literal.text.startsWith(pattern.prefix) && literal.text.endsWith(pattern.suffix);
}
