import type { OperatorDefinition } from './operator.ts';
import { forPhrases } from './pm.ts';

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
