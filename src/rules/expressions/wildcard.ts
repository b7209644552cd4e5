/**
 * Wildcard patterns: `*` matches any bytes, `\*` and `\\` match the second character, everything else matches itself. The
 * whole value must match. Between stars are plain literals, so a match is one search per literal from left to right, in time
 * proportional to the value; each star matches the shortest text that lets the rest match.
 */
import { lowerAscii } from '#text';
import { suspectSteps } from '#work';

export interface Wildcard {
  /** The literals before, between and after the stars: one more than there are stars. In lower case unless strict. */
  readonly parts: readonly string[];
  readonly isStrict: boolean;
}

export type WildcardResult =
  | { readonly ok: true; readonly wildcard: Wildcard }
  | { readonly ok: false; readonly message: string };

/** Parses a pattern of bytes; `isStrict` makes it case-sensitive. */
export function parseWildcard(pattern: string, isStrict: boolean): WildcardResult {
  const parts: string[] = [];
  let part = '';
  let isAfterStar = false;
  let hasDoubleStar = false;
  for (let index = 0; index < pattern.length; index++) {
    const isStar = pattern[index] === '*';
    if (isStar) {
      hasDoubleStar ||= isAfterStar;
      parts.push(part);
      part = '';
    } else if (pattern[index] === '\\') {
      const escaped = pattern[++index];
      if (escaped === undefined)
        return createSyntaxError(index - 1, 'incomplete escape sequence at the end of the wildcard');
      if (escaped !== '*' && escaped !== '\\') return createSyntaxError(index - 1, 'invalid escape sequence');
      part += escaped;
    } else {
      part += pattern[index];
    }
    isAfterStar = isStar;
  }
  if (hasDoubleStar) return { ok: false, message: 'wildcard contains a double star' };
  parts.push(part);
  return { ok: true, wildcard: { parts: isStrict ? parts : parts.map(lowerAscii), isStrict } };
}

function createSyntaxError(position: number, reason: string): WildcardResult {
  return { ok: false, message: `invalid wildcard: wildcard syntax error at position ${position}: ${reason}` };
}

export function matchesWildcard(wildcard: Wildcard, value: string): boolean {
  return findStars(wildcard, value) !== undefined;
}

/** What each star matches in the value; undefined if the value does not match. */
export function captureWildcard(wildcard: Wildcard, value: string): readonly string[] | undefined {
  return findStars(wildcard, value)?.map(({ start, end }) => value.slice(start, end));
}

function findStars(
  { parts, isStrict }: Wildcard,
  value: string,
): { start: number; end: number }[] | undefined {
  suspectSteps(2 * value.length * parts.length);
  const subject = isStrict ? value : lowerAscii(value);
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length === 1) return subject === first ? [] : undefined;
  const end = subject.length - last.length;
  if (end < first.length || !subject.startsWith(first) || !subject.endsWith(last)) return undefined;
  const stars: { start: number; end: number }[] = [];
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = subject.indexOf(part, position);
    if (found === -1 || found + part.length > end) return undefined;
    stars.push({ start: position, end: found });
    position = found + part.length;
  }
  stars.push({ start: position, end });
  return stars;
}
