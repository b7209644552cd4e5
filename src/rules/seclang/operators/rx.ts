import { BoundedMap } from '#base';
import { parsePattern, type Pattern } from '#regex';
import { expandedPatternsMax } from '../limits.ts';
import type { Operator, OperatorDefinition } from './operator.ts';

/** A dot also matches line ends, and `$` only the very end, as in ModSecurity 2, for which CRS is written. */
export const rx: OperatorDefinition = {
  name: 'rx',
  prepare: (argument) => {
    if (argument.constant !== undefined) return forPattern(compilePattern(argument.constant));
    const compiled = new BoundedMap<string, Pattern>(expandedPatternsMax);
    const patternFor = (source: string): Pattern => {
      const pattern = compiled.get(source) ?? compilePattern(source);
      compiled.set(source, pattern);
      return pattern;
    };
    return {
      test: (value, scope) => patternFor(argument.expand(scope)).test(value),
      capture: (value, scope) => patternFor(argument.expand(scope)).match(value)?.groups ?? [],
    };
  },
};

function forPattern(pattern: Pattern): Operator {
  return {
    literals: pattern.requiredLiterals,
    test: (value) => pattern.test(value),
    capture: (value) => pattern.match(value)?.groups ?? [],
  };
}

function compilePattern(source: string): Pattern {
  const parsed = parsePattern(source, 'pcre', { dotAll: true });
  if (!parsed.ok) throw new RangeError(`the pattern is invalid: ${parsed.error.reason}`);
  return parsed.pattern;
}
