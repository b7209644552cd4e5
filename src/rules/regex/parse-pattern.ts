import { isTooLarge, needsBacktracking } from './engines/program.ts';
import { cachedSizeMax, lookAroundsMax, sourceLengthMax, unrolledMax, unrolledPcreMax } from './limits.ts';
import { CompiledPattern } from './pattern.ts';
import { PatternCache } from './pattern-cache.ts';
import { patternErrorOf, SyntaxProblem, wholePatternError } from './syntax/pattern-error.ts';
import { parsePcreSyntax } from './syntax/pcre-syntax.ts';
import { parseRustSyntax } from './syntax/rust-syntax.ts';
import { looksOf, someTree, type PatternTree } from './syntax/tree.ts';
import type { Dialect, ParseOptions, ParseResult } from './types.ts';

const cache = new PatternCache({ sizeMax: cachedSizeMax });

/** Parses a pattern; an invalid source, or one that could not run in bounded time, returns an error. */
export function parsePattern(
  source: string,
  dialect: Dialect = 'rust',
  options: ParseOptions = {},
): ParseResult {
  // Patterns of the OWASP rules are parsed once, when the rules are loaded.
  if (dialect !== 'rust' || Object.keys(options).length > 0) return parse(source, dialect, options);
  const known = cache.get(source);
  if (known !== undefined) return { ok: true, pattern: known };
  const parsed = parse(source, dialect, options);
  if (parsed.ok) cache.add(parsed.pattern);
  return parsed;
}

function parse(source: string, dialect: Dialect, options: ParseOptions): ParseResult {
  if (source.length > sourceLengthMax) {
    return refuse(source, `pattern is longer than ${sourceLengthMax} characters`);
  }
  try {
    const parsed = dialect === 'rust' ? parseRustSyntax(source, options) : parsePcreSyntax(source, options);
    const reason = reasonToRefuse(parsed.tree, dialect);
    if (reason !== undefined) return refuse(source, reason);
    return { ok: true, pattern: new CompiledPattern(source, dialect, parsed) };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, error: patternErrorOf(source, error) };
  }
}

function refuse(source: string, reason: string): ParseResult {
  return { ok: false, error: wholePatternError(source, reason) };
}

function reasonToRefuse(tree: PatternTree, dialect: Dialect): string | undefined {
  if (isTooLarge(tree, dialect === 'rust' ? unrolledMax : unrolledPcreMax))
    return 'Compiled regex exceeds size limit of 10485760 bytes.';
  if (looksOf(tree).size > lookAroundsMax) return `pattern has more than ${lookAroundsMax} look-arounds`;
  const isUnboundedBehind = someTree(
    tree,
    (part) => part.kind === 'look' && !part.ahead && needsBacktracking(part.part),
  );
  if (isUnboundedBehind)
    return 'look-behind with a back-reference or an atomic group cannot be run in bounded time';
  return undefined;
}
