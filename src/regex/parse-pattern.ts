import { isTooLarge, needsBacktracking } from './engines/program.ts';
import { lookAroundsMax, sourceLengthMax } from './limits.ts';
import { CompiledPattern } from './pattern.ts';
import { patternErrorOf, SyntaxProblem, wholePatternError } from './syntax/pattern-error.ts';
import { parsePcreSyntax } from './syntax/pcre-syntax.ts';
import { parseRustSyntax } from './syntax/rust-syntax.ts';
import { partsOf, someTree, type Tree } from './syntax/tree.ts';
import type { Dialect, ParseOptions, ParseResult } from './types.ts';

/** Reads a pattern of a dialect; a source that is none, or that could not be run in bounded time, gives an error. */
export function parsePattern(source: string, dialect: Dialect, options: ParseOptions = {}): ParseResult {
  if (source.length > sourceLengthMax) {
    return refuse(source, `pattern is longer than ${sourceLengthMax} characters`);
  }
  try {
    const parsed = dialect === 'rust' ? parseRustSyntax(source, options) : parsePcreSyntax(source, options);
    const reason = reasonToRefuse(parsed.tree);
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

function reasonToRefuse(tree: Tree): string | undefined {
  if (isTooLarge(tree)) return 'Compiled regex exceeds size limit of 10485760 bytes.';
  if (countLooks(tree) > lookAroundsMax) return `pattern has more than ${lookAroundsMax} look-arounds`;
  const isUnboundedBehind = someTree(
    tree,
    (part) => part.kind === 'look' && !part.ahead && needsBacktracking(part.part),
  );
  if (isUnboundedBehind)
    return 'look-behind with a back-reference or an atomic group cannot be run in bounded time';
  return undefined;
}

/** How many different look-arounds there are: one that occurs twice is asked once. */
function countLooks(tree: Tree): number {
  const looks = new Set<Tree>();
  const visit = (part: Tree): void => {
    if (part.kind === 'look') looks.add(part);
    partsOf(part).forEach(visit);
  };
  visit(tree);
  return looks.size;
}
