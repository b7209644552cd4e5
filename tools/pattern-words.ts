/**
 * Word lists such that every text which a pattern of a detector matches contains at least one of the words
 * (`src/rules/detection/shapes.ts`). Must be regenerated after a change of such a pattern; a test checks that.
 */
import { writeFileSync } from 'node:fs';
import { lowerAscii } from '#text';
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

/** A single character occurs in too many texts. */
const wordCharactersMin = 2;
/** Further characters add little, and take space in the table that every byte of a text passes through. */
const wordCharactersMax = 8;

/** In lower case; undefined if the pattern needs none, or cannot be analysed. */
export function listWords({ source, flags }: RegExp): readonly string[] | undefined {
  const parsed = parsePattern(widenPattern(source), 'pcre', { ignoreCase: flags.includes('i') });
  const words = parsed.ok ? parsed.pattern.requiredLiterals?.literals : undefined;
  if (words === undefined || words.some((word) => word.length < wordCharactersMin)) return undefined;
  return [...new Set(words.map((word) => lowerAscii(word.slice(0, wordCharactersMax))))].toSorted();
}

/**
 * Converts it to a PCRE pattern that matches at least as much: other characters become spaces, and what looks like an
 * unclosed empty class means any character in JavaScript.
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
