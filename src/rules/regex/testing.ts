/** Random patterns and values for the tests of the engines. */
import fc from 'fast-check';
import type { Dialect } from './types.ts';

const common = String.raw`a b A _ . \n \r \xff \w \W \d \s [ab] [^a] [^b\n] ^ $ \b \B \A \z (?i) (?m) (?s) [[:upper:]]`;
const rustOnly = String.raw`é [a-y&&b-z] [\w--a] \< \> \b{start-half} \b{end-half} (?R) (?mR) (?U) (?x)`;
const pcreOnly =
  String.raw`\Z \h \v (?=a) (?!b) (?<=a) (?<!b) (?=a|b$) (?!\w+b) (?=[^b]*b) (?<=ab|b) ` +
  String.raw`a*+ [ab]++ a?+ \w{1,2}+ (?:(?!a).)* (?!(?=a)..)`;
const quantifiers = ['*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}', '{0}'];

/** Sources that the parser accepts, with few exceptions. */
export function sourceOf(dialect: Dialect): fc.Arbitrary<string> {
  const own = dialect === 'rust' ? rustOnly : pcreOnly;
  const atom = fc.constantFrom('', ' ', ...common.split(' '), ...own.split(' '));
  return fc.letrec<{ node: string }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      atom,
      fc.tuple(tie('node'), tie('node')).map((parts) => parts.join('')),
      fc.tuple(tie('node'), tie('node')).map((parts) => `(?:${parts.join('|')})`),
      tie('node').map((node) => `(${node})`),
      fc.tuple(tie('node'), fc.constantFrom(...quantifiers)).map(([node, sign]) => `(?:${node})${sign}`),
    ),
  })).node;
}

const byte = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'A', '\n') },
  { weight: 1, arbitrary: fc.constantFrom('_', ' ', '1', '\r', '\xff', '\xc3', '\xa9', '\x85', '\0') },
);

export const valueBytes = fc.array(byte, { maxLength: 12 }).map((bytes) => bytes.join(''));
