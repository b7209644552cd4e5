import { lowerAscii } from '#text';
import { LiteralSet } from '#regex';
import type { Operator, OperatorDefinition } from './operator.ts';

/** Any of the words, ignoring case. `|41 42|` are bytes in hexadecimal, inside a word or as a word. */
export const pm: OperatorDefinition = {
  name: 'pm',
  prepare: ({ source }) => forPhrases(decodeBytes(source).split(/[ \t\n\v\f\r]+/)),
};

function forPhrases(written: readonly string[]): Operator {
  const phrases = [...new Set(written.filter((phrase) => phrase !== '').map(lowerAscii))];
  if (phrases.length === 0) throw new RangeError('there are no phrases to look for');
  // Most lists are never searched: values without any of their words are filtered out before.
  let set: LiteralSet | undefined;
  const getSet = (): LiteralSet => (set ??= new LiteralSet(phrases, { ignoreCase: true }));
  return {
    literals: { literals: phrases, ignoreCase: true },
    test: (value) => getSet().test(value),
    capture: (value) => {
      let found: string | undefined;
      getSet().scan(value, (literal, end) => (found ??= value.slice(end - phrases[literal]!.length, end)));
      return [found];
    },
  };
}

function decodeBytes(words: string): string {
  return words.replaceAll(/\|((?:[0-9A-Fa-f]{2} ?)+)\|/g, (_, digits: string) =>
    Buffer.from(digits.replaceAll(' ', ''), 'hex').toString('latin1'),
  );
}

/** Any of the lines of a file, ignoring case; lines with the prefix `#` are comments. */
export const pmFromFile: OperatorDefinition = {
  name: 'pmfromfile',
  prepare: ({ source }, context) =>
    forPhrases(
      source
        .trim()
        .split(/\s+/)
        .flatMap((name) => readLines(context.readFile(name))),
    ),
};

export function readLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
