/** Replacement texts: `${1}` is the match of a group, `$$` is a dollar, everything else is literal. */
import { replacementReferencesMax } from './limits.ts';

export type ReplacementParts = readonly (string | number)[];

/** Returns literal parts and the numbers of the groups between them. */
export function parseReplacement(text: string): ReplacementParts {
  const pieces: (string | number)[] = [];
  let end = 0;
  for (const match of text.matchAll(/\$\$|\$\{(\d+)\}/g)) {
    pieces.push(text.slice(end, match.index), match[1] === undefined ? '$' : Number(match[1]));
    end = match.index + match[0].length;
  }
  pieces.push(text.slice(end));
  return pieces.filter((piece) => piece !== '');
}

export function checkReplacement(text: string): string | undefined {
  const references = parseReplacement(text).filter((piece) => typeof piece === 'number');
  return references.length > replacementReferencesMax
    ? `expected at most ${replacementReferencesMax} references in the replacement`
    : undefined;
}

/** Fills in the groups; a group that did not match is empty. */
export function fillReplacement(
  replacement: ReplacementParts,
  group: (number: number) => string | undefined,
): string {
  return replacement.map((piece) => (typeof piece === 'number' ? (group(piece) ?? '') : piece)).join('');
}
