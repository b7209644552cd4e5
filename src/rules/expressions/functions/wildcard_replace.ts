import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, readBytes, createFlagCheck, result } from '../parameters.ts';
import { checkReplacement, fillReplacement, parseReplacement } from '../replacement.ts';
import { bytesType } from '../types.ts';
import { captureWildcard, parseWildcard } from '../wildcard.ts';

export const wildcard_replace: FunctionDefinition = {
  name: 'wildcard_replace',
  summary:
    'If the whole value matches, the replacement, with ${1} to ${8} for the parts matched by the stars; otherwise the value. Option: s for strict case.',
  parameters: [
    bytesParameter('value'),
    bytesParameter('pattern', { kind: 'Literal', checkBytes: checkPattern }),
    bytesParameter('replacement', {
      kind: 'Literal',
      checkBytes: checkReplacement,
    }),
    bytesParameter('options', { kind: 'Literal', isOptional: true, checkBytes: createFlagCheck('s') }),
  ],
  uses: ['rewrite'],
  resultType: result(bytesType),
  callsMax: 1,
  notWith: ['regex_replace'],
  prepare: ([, patternArgument, replacementArgument, options]) => {
    const parsed = parseWildcard(readBytes(patternArgument), readBytes(options) === 's');
    if (!parsed.ok) throw new TypeError(`wildcard_replace needs a checked pattern: ${parsed.message}`);
    const replacement = parseReplacement(readBytes(replacementArgument));
    return (value: string | undefined) => {
      if (value === undefined) return undefined;
      const stars = captureWildcard(parsed.wildcard, value);
      return stars === undefined ? value : fillReplacement(replacement, (number) => stars[number - 1]);
    };
  },
};

function checkPattern(pattern: string): string | undefined {
  const parsed = parseWildcard(pattern, false);
  return parsed.ok ? undefined : parsed.message;
}
