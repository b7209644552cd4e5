/** Whether two URL patterns can match the same URL. It errs on the side of yes, and takes time in proportion to their length. */
import type { PagePattern } from '#firewall';

export function mayOverlap(a: PagePattern, b: PagePattern): boolean {
  return (
    mayEqual(a.scheme, b.scheme) &&
    mayEqual(a.port, b.port) &&
    mayMeet(starred(a.host), starred(b.host)) &&
    mayMeet(starred(a.uri), starred(b.uri))
  );
}

/** Undefined stands for any. */
function mayEqual<T>(a: T | undefined, b: T | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

/** A text with stars, of which only what is before the first and behind the last is looked at. */
interface Starred {
  readonly text: string;
  readonly hasStar: boolean;
  readonly prefix: string;
  readonly suffix: string;
}

function starred(pattern: string): Starred {
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
