import { isTooLarge } from './engines/program.ts';
import { cachedSizeMax, sourceLengthMax } from './limits.ts';
import { CompiledPattern } from './pattern.ts';
import { PatternCache } from './pattern-cache.ts';
import { patternErrorOf, SyntaxProblem, wholePatternError } from './syntax/pattern-error.ts';
import { parseRustSyntax } from './syntax/rust-syntax.ts';
import type { ParseResult } from './types.ts';

const cache = new PatternCache({ sizeMax: cachedSizeMax });

/** Reads a pattern; a source that is none, or that could not be run in bounded time, gives an error. */
export function parsePattern(source: string): ParseResult {
  const known = cache.get(source);
  if (known !== undefined) return { ok: true, pattern: known };
  const parsed = parse(source);
  if (parsed.ok) cache.add(parsed.pattern);
  return parsed;
}

function parse(source: string): ParseResult {
  if (source.length > sourceLengthMax) {
    return refuse(source, `pattern is longer than ${sourceLengthMax} characters`);
  }
  try {
    const parsed = parseRustSyntax(source);
    if (isTooLarge(parsed.tree))
      return refuse(source, 'Compiled regex exceeds size limit of 10485760 bytes.');
    return { ok: true, pattern: new CompiledPattern(source, parsed) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, error: patternErrorOf(source, error) };
  }
}

function refuse(source: string, reason: string): ParseResult {
  return { ok: false, error: wholePatternError(source, reason) };
}
