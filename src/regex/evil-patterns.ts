/**
 * Patterns that make backtracking engines take exponential, cubic or quadratic time, each with the text that does
 * it: `prefix`, then `pump` over and over, then `suffix`. For the tests and for the table in the documentation.
 */
export interface EvilPattern {
  readonly source: string;
  readonly prefix: string;
  readonly pump: string;
  readonly suffix: string;
}

const evil = (source: string, pump: string, suffix = '', prefix = ''): EvilPattern => {
  return { source, prefix, pump, suffix };
};

export const evilPatterns: readonly EvilPattern[] = [
  // A loop inside a loop, in all disguises.
  evil('(a+)+$', 'a', '!'),
  evil('(a*)*b', 'a'),
  evil('(?:a?)*?b', 'a'),
  evil('((a+)+)+c', 'a'),
  evil('(x+x+)+y', 'x'),
  evil('([a-zA-Z]+)*$', 'aB', '1'),
  evil(String.raw`^(\w+\s?)+$`, 'word ', '!'),
  evil(String.raw`(\d+)*x`, '1'),
  evil(String.raw`(?:\s*\S+\s*)*:`, 'a '),
  evil('(?:[a-z]*[0-9]*)*;', 'a1'),
  evil('((a|b)*c)*d', 'abc'),
  evil('(a?b?c?)*d', 'abc'),
  evil(String.raw`^[a-z0-9](?:[-_.]?[a-z0-9]+)*@[a-z]+$`, 'a', '!'),
  evil(String.raw`^(?:[^/]+/?)+\.php$`, 'ab/', '!'),
  evil(String.raw`"(?:\\.|[^"\\]+)*"`, 'x', '', '"'),
  evil(String.raw`(?m)^(?:.+\s)*;$`, 'a b\n'),
  evil(String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`, 'a'),
  // Branches that overlap.
  evil('(a|a)*b', 'a'),
  evil('(a|aa)+$', 'a', '!'),
  evil('(ab|a|b)*c', 'ab'),
  evil(String.raw`(\w|\d|_)+!`, '1'),
  evil(String.raw`(?:\\x[0-9a-f]+|[^"]|\\.)*"$`, '\\x0', 'z'),
  // Loops side by side, and the same loop from every start.
  evil('.*.*=.*;', '='),
  evil(String.raw`\w*\d*\w*\d*!`, '1'),
  evil(String.raw`\s+$`, ' ', 'x'),
  evil(String.raw`\d+\.\d+\.\d+x`, '1'),
  evil('a*a*a*a*a*b', 'a'),
  evil('(.*a){12}$', 'a', '!'),
  evil('^(.*?,){11}P', '1,'),
  evil('(?s)<script[^>]*>.*</script>', '<script>'),
  evil(String.raw`(?s)/\*.*\*/x`, '/*'),
  evil('(?i)(?:select|sel|se).*(?:from|fro).*where', 'select from '),
  evil(String.raw`\b(\w+\s+)+\w+\.$`, 'go '),
  evil(String.raw`^\s*(.*\S)\s*$;`, ' x'),
  // Counted repetitions, which multiply.
  evil('^(?:a?){30}a{30}$', 'a', '!'),
  evil('(?:a{0,20}){20}b', 'a'),
  evil('(?:[ab]{1,9}c?){1,30};', 'abc'),
  evil('.{0,500}x.{0,500}y', 'x'),
  // Few states for an NFA, more than any memory for a DFA.
  evil('[a-q][^u-z]{13}x', 'aqbu'),
  evil('(?:a|b)*a(?:a|b){60}c', 'abbabaabbaababbaaabb'),
  evil('(?s)x.{200}y.{200}z', 'xyyxyxxyxyyx'),
  // What attacks are written to look like.
  evil(String.raw`(?:[\w\s]++|;)*x$`, 'a ;'),
  evil(String.raw`(?i:'\s*(?:or|and)\s*\S+\s*=\s*\S+\s*)+--`, "' or 1=1 "),
  evil(String.raw`(?:--[^-]*?-|[^&-]#.*?[\s\v]|/\*!?|;?\x00)+x`, '-- #\n'),
  // Words of characters, whose ends are looked for on both sides.
  evil(String.raw`(?u)\b(\w+\s+)+\w+\.$`, 'go '),
  evil(String.raw`(?u)(?:\b\w*)*!`, '\xc3\xa9'),
  evil(String.raw`(?u)(\w|\pL)+!`, '\xc3\xa9'),
  evil(String.raw`(?u)(?:\B.)*\b;x`, 'a\xc3\xa9'),
  evil(String.raw`(?u)\b{start-half}(?:a|aa)+\b{end-half}!`, 'a'),
  evil(String.raw`(?u)(?:\S+\b\s*)+;`, '\xc3\xa9 '),
  // Refused.
  evil('((a{90}){90}){90}', 'a'),
  evil(String.raw`(a)\1+b`, 'a'),
  evil('(?<=a+)b', 'a'),
  evil('(?=a)(?=b)(?=c)(?=d)(?=e)(?=f)(?=g)h', 'a'),
];

/** The text of an evil pattern with about so many bytes. */
export function pumped({ prefix, pump, suffix }: EvilPattern, length: number): string {
  const text = prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;
  // In one piece, as values come from a socket.
  return Buffer.from(text, 'latin1').toString('latin1');
}
