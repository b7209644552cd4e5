/**
 * The words of which one is in every text that a pattern of a detector matches (`src/rules/detection/shapes.ts`). To be written
 * after a change of such a pattern; a test says so.
 *
 *     npm run generate
 */
import { writeFileSync } from 'node:fs';
import { lowerAscii } from '#base';
import { listPatterns } from '#detection';
import { parsePattern } from '#regex';

export const patternWordsFile = new URL('../src/rules/detection/pattern-words.json', import.meta.url);

/** With a line for each pattern. */
export function writePatternWords(): string {
  const lines = listPatterns().flatMap((pattern) => {
    const words = listWords(pattern);
    return words === undefined ? [] : [`${JSON.stringify(String(pattern))}: ${JSON.stringify(words)}`];
  });
  return `{\n${[...new Set(lines)].join(',\n')}\n}\n`;
}

/** A sign alone stands in too many texts. */
const wordCharactersMin = 2;
/** What follows says little more, and takes room in the table that every byte of a text goes through. */
const wordCharactersMax = 8;

/** In lower case; undefined if the pattern needs none, or is none that can be read so. */
export function listWords({ source, flags }: RegExp): readonly string[] | undefined {
  const parsed = parsePattern(widenPattern(source), 'pcre', { ignoreCase: flags.includes('i') });
  const words = parsed.ok ? parsed.pattern.requiredLiterals?.literals : undefined;
  if (words === undefined || words.some((word) => word.length < wordCharactersMin)) return undefined;
  return [...new Set(words.map((word) => lowerAscii(word.slice(0, wordCharactersMax))))].toSorted();
}

/**
 * As a pattern of PCRE that matches no less: other signs are spaces there, and what looks like nothing but a class that has
 * no end means any sign in JavaScript.
 */
function widenPattern(source: string): string {
  let isClass = false;
  let isNegated = false;
  return source.replaceAll(/\[\^\]|\[\^?|\]|\\?[^]/g, (sign) => {
    if (!isClass && sign === '[^]') return String.raw`[\x00-\xff]`;
    if (!isClass && sign.startsWith('[')) {
      isClass = true;
      isNegated = sign === '[^';
      return sign;
    }
    if (isClass && sign.endsWith(']') && sign !== String.raw`\]`) isClass = false;
    if (sign.startsWith('[')) return String.raw`\[` + sign.slice(1);
    if (sign !== String.raw`\s` || (isClass && isNegated)) return sign;
    return isClass ? String.raw`\x00-\x20\x7f-\xff` : String.raw`[\x00-\x20\x7f-\xff]`;
  });
}

if (import.meta.main) writeFileSync(patternWordsFile, writePatternWords());
