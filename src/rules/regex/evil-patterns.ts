/**
 * Patterns that make backtracking engines take exponential, cubic or quadratic time, each with its worst text:
 * `prefix`, then `pump` repeatedly, then `suffix`. For the tests and for the table in the documentation.
 */
import type { Dialect } from './types.ts';

export interface EvilPattern {
  readonly source: string;
  readonly dialect: Dialect;
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const rust = (source: string, pump: string, suffix = '', prefix = ''): EvilPattern => {
  return { dialect: 'rust', source, prefix, pump, suffix };
};
const pcre = (source: string, pump: string, suffix = '', prefix = ''): EvilPattern => {
  return { dialect: 'pcre', source, prefix, pump, suffix };
};

export const evilPatterns: readonly EvilPattern[] = [
  // A loop inside a loop, in many forms.
  rust('(a+)+$', 'a', '!'),
  rust('(a*)*b', 'a'),
  rust('(?:a?)*?b', 'a'),
  rust('((a+)+)+c', 'a'),
  rust('(x+x+)+y', 'x'),
  rust('([a-zA-Z]+)*$', 'aB', '1'),
  rust(String.raw`^(\w+\s?)+$`, 'word ', '!'),
  rust(String.raw`(\d+)*x`, '1'),
  rust(String.raw`(?:\s*\S+\s*)*:`, 'a '),
  rust('(?:[a-z]*[0-9]*)*;', 'a1'),
  rust('((a|b)*c)*d', 'abc'),
  rust('(a?b?c?)*d', 'abc'),
  rust(String.raw`^[a-z0-9](?:[-_.]?[a-z0-9]+)*@[a-z]+$`, 'a', '!'),
  rust(String.raw`^(?:[^/]+/?)+\.php$`, 'ab/', '!'),
  rust(String.raw`"(?:\\.|[^"\\]+)*"`, 'x', '', '"'),
  rust(String.raw`(?m)^(?:.+\s)*;$`, 'a b\n'),
  rust(String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`, 'a'),
  // Branches that overlap.
  rust('(a|a)*b', 'a'),
  rust('(a|aa)+$', 'a', '!'),
  rust('(ab|a|b)*c', 'ab'),
  rust(String.raw`(\w|\d|_)+!`, '1'),
  rust(String.raw`(?:\\x[0-9a-f]+|[^"]|\\.)*"$`, '\\x0', 'z'),
  // Adjacent loops, and the same loop from every start.
  rust('.*.*=.*;', '='),
  rust(String.raw`\w*\d*\w*\d*!`, '1'),
  rust(String.raw`\s+$`, ' ', 'x'),
  rust(String.raw`\d+\.\d+\.\d+x`, '1'),
  rust('a*a*a*a*a*b', 'a'),
  rust('(.*a){12}$', 'a', '!'),
  rust('^(.*?,){11}P', '1,'),
  rust('(?s)<script[^>]*>.*</script>', '<script>'),
  rust(String.raw`(?s)/\*.*\*/x`, '/*'),
  rust('(?i)(?:select|sel|se).*(?:from|fro).*where', 'select from '),
  rust(String.raw`\b(\w+\s+)+\w+\.$`, 'go '),
  rust(String.raw`^\s*(.*\S)\s*$;`, ' x'),
  // Counted repetitions, which multiply.
  rust('^(?:a?){30}a{30}$', 'a', '!'),
  rust('(?:a{0,20}){20}b', 'a'),
  rust('(?:[ab]{1,9}c?){1,30};', 'abc'),
  rust('.{0,500}x.{0,500}y', 'x'),
  // Few states for an NFA, too many for the memory of a DFA.
  rust('[a-q][^u-z]{13}x', 'aqbu'),
  rust('(?:a|b)*a(?:a|b){60}c', 'abbabaabbaababbaaabb'),
  rust('(?s)x.{200}y.{200}z', 'xyyxyxxyxyyx'),
  // Words of characters, whose ends depend on both sides.
  rust(String.raw`(?u)\b(\w+\s+)+\w+\.$`, 'go '),
  rust(String.raw`(?u)(?:\b\w*)*!`, '\xc3\xa9'),
  rust(String.raw`(?u)(\w|\pL)+!`, '\xc3\xa9'),
  rust(String.raw`(?u)(?:\B.)*\b;x`, 'a\xc3\xa9'),
  rust(String.raw`(?u)\b{start-half}(?:a|aa)+\b{end-half}!`, 'a'),
  rust(String.raw`(?u)(?:\S+\b\s*)+;`, '\xc3\xa9 '),
  // Features of PCRE only.
  pcre('(?!.*x.*x).*y', 'xa'),
  pcre('(?=.*a)(?=.*b)(?=.*c)d', 'ab'),
  pcre('((?=a)a|(?!b)a)*b', 'a'),
  pcre('(?<!a)(?:b|bb)+c', 'b'),
  pcre(String.raw`(?<=\s)(?:\S+\s)*!`, 'a '),
  pcre(String.raw`(?:[\w\s]++|;)*x$`, 'a ;'),
  pcre(String.raw`(?i:'\s*(?:or|and)\s*\S+\s*=\s*\S+\s*)+--`, "' or 1=1 "),
  pcre(String.raw`(?:--[^-]*?-|[^&-]#.*?[\s\v]|/\*!?|;?\x00)+x`, '-- #\n'),
  pcre('(?>(a+)+)b', 'a'),
  pcre(String.raw`(a+)\1+b`, 'a'),
  pcre(String.raw`(\w+)\s+\1\s+\1!`, 'ab '),
  pcre(String.raw`(?:(a|ab)(c|bcd)(d*))*\1e`, 'abcd'),
  // Refused.
  rust('((a{90}){90}){90}', 'a'),
  rust(String.raw`(a)\1+b`, 'a'),
  pcre(String.raw`(?<=a+)b`, 'a'),
  pcre('(?=a)(?=b)(?=c)(?=d)(?=e)(?=f)(?=g)h', 'a'),
];

/** The text of an evil pattern with about this many bytes. */
export function pumped({ prefix, pump, suffix }: EvilPattern, length: number): string {
  const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
  // In one piece, as values come from a socket.
  return Buffer.from(text, 'latin1').toString('latin1');
}
