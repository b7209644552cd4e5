import { parsePattern } from '#regex';
import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, readBytes, result } from '../parameters.ts';
import { checkReplacement, fillReplacement, parseReplacement } from '../replacement.ts';
import { bytesType } from '../types.ts';
import { textOf } from '#text';

/** The pattern is an ordinary string here, so `\d` is written `"\\d"` or `r"\d"`. */
export const regex_replace: FunctionDefinition = {
  name: 'regex_replace',
  summary: 'The value with the first match replaced; ${1} to ${8} are its groups. Unchanged without a match.',
  parameters: [
    bytesParameter('value', { kind: 'Any' }),
    bytesParameter('pattern', { kind: 'Literal', checkBytes: checkPattern }),
    bytesParameter('replacement', {
      kind: 'Literal',
      checkBytes: checkReplacement,
    }),
  ],
  uses: ['rewrite'],
  resultType: result(bytesType),
  regexArgument: 1,
  callsMax: 1,
  notWith: ['wildcard_replace'],
  prepare: ([, patternArgument, replacementArgument]) => {
    const parsed = parsePattern(textOf(readBytes(patternArgument))!, 'rust');
    if (!parsed.ok) throw new TypeError(`regex_replace needs a checked pattern: ${parsed.error.reason}`);
    const { pattern } = parsed;
    const replacement = parseReplacement(readBytes(replacementArgument));
    return (value: string | undefined) => {
      const match = value === undefined ? undefined : pattern.match(value);
      if (value === undefined || match === undefined) return value;
      const replaced = fillReplacement(replacement, (number) => match.groups[number]);
      return value.slice(0, match.start) + replaced + value.slice(match.end);
    };
  },
};

function checkPattern(literal: string): string | undefined {
  const source = textOf(literal);
  if (source === undefined) return 'expected a pattern in UTF-8';
  const parsed = parsePattern(source, 'rust');
  return parsed.ok ? undefined : parsed.error.message;
}
