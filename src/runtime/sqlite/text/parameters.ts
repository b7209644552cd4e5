import type { Lexeme } from './tokens.ts';

/**
 * The parameters of a statement, numbered as SQLite numbers them: `?` takes the next number, `?5` the fifth, a name the
 * next number when it first appears. Values are bound by number only, whatever the parameters look like.
 */
export interface Parameters {
  /** How many values the statement takes: the highest number in use. */
  readonly count: number;
  /** The names in use, `':a'` with its sign, and their numbers (from 1). */
  readonly names: ReadonlyMap<string, number>;
  /** The number of each variable token, in the order of the text. */
  readonly numbers: readonly number[];
}

export function numberParameters(tokens: readonly Lexeme[]): Parameters {
  const names = new Map<string, number>();
  const numbers: number[] = [];
  let count = 0;
  for (const { kind, text } of tokens) {
    if (kind !== 'variable') continue;
    let number = count + 1;
    if (text[0] !== '?') {
      number = names.get(text) ?? number;
      names.set(text, number);
    } else if (text.length > 1) {
      number = Number(text.slice(1));
    }
    numbers.push(number);
    count = Math.max(count, number);
  }
  return { count, names, numbers };
}
