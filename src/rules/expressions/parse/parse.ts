/** The entry point of the parser: returns a tree or a diagnostic, and never throws because of user input. */
import { parsePattern } from '#regex';
import type { Filter, Operand, ValueExpression } from '../ast.ts';
import { type Diagnostic, locate } from '../diagnostic.ts';
import { expressionCharactersMax, nestingDepthLargest, nestingDepthMax } from '../limits.ts';
import { scheme as fullScheme } from '../full-scheme.ts';
import type { Scheme } from '../scheme.ts';
import { Findings } from './findings.ts';
import { findHint } from './hints.ts';
import { Parser } from './parser.ts';
import { SourceReader, ParseRefusal } from './reader.ts';
import type { Settings } from './settings.ts';

export interface ParseOptions {
  /** The names that exist; the whole language by default. */
  readonly scheme?: Scheme;
  /** How deep parentheses, `not`, `any`, `all` and calls may be nested: 128 by default, 500 at most. */
  readonly nestingDepthMax?: number;
  /** The names of the existing lists, without `$`: any other name is an error. By default, any name is accepted. */
  readonly lists?: Iterable<string>;
}

export type ParseResult<T> =
  | { readonly ok: true; readonly tree: T; readonly warnings: readonly Diagnostic[] }
  | { readonly ok: false; readonly error: Diagnostic };

/** Parses a match expression. */
export function parse(source: string, options: ParseOptions = {}): ParseResult<Filter> {
  return run(source, options, (parser) => ({ kind: 'filter', source, root: parser.readFilter() }));
}

/** Parses a value expression, as used in rewrites: one operand. */
export function parseValue(source: string, options: ParseOptions = {}): ParseResult<ValueExpression> {
  return run(source, options, (parser) => {
    const root = parser.readValue();
    if (root.kind === 'operand') return { kind: 'value', source, root };
    const { type, span } = root;
    return { kind: 'value', source, root: { kind: 'expression', expression: root, type, span } };
  });
}

/** Parses one operand, with or without `[*]`, as a part of an expression that was parsed before. */
export function parseOperand(source: string, options: ParseOptions = {}): ParseResult<Operand> {
  return run(source, options, (parser) => parser.readOperandOnly());
}

/** Parses a match expression for its names only: every pattern is replaced by an empty one, so none is compiled. */
export function parseNames(source: string, options: ParseOptions = {}): ParseResult<Filter> {
  const any = parsePattern('');
  return run(
    source,
    options,
    (parser) => ({ kind: 'filter', source, root: parser.readFilter() }),
    new Findings(() => any),
  );
}

/** The sources of the patterns in an expression, without compiling them; up to the first error in the expression. */
export function listPatterns(source: string, options: ParseOptions = {}): readonly string[] {
  const sources: string[] = [];
  const any = parsePattern('');
  const findings = new Findings((pattern) => {
    sources.push(pattern);
    return any;
  });
  run(source, options, (parser) => parser.readFilter(), findings);
  return sources;
}

function run<T>(
  source: string,
  options: ParseOptions,
  read: (parser: Parser) => T,
  findings = new Findings(),
): ParseResult<T> {
  const settings = readSettings(options);
  try {
    checkLength(source);
    const tree = read(new Parser(new SourceReader(source), settings, findings));
    return { ok: true, tree, warnings: findings.warnings.map((finding) => locate(source, finding)) };
  } catch (error) {
    if (!(error instanceof ParseRefusal)) throw error;
    const { code, message, span } = error;
    const hint = error.hint ?? findHint(source, error, settings);
    return { ok: false, error: locate(source, { severity: 'error', code, message, span, hint }) };
  }
}

function readSettings(options: ParseOptions): Settings {
  const depth = options.nestingDepthMax ?? nestingDepthMax;
  if (!Number.isInteger(depth) || depth < 0 || depth > nestingDepthLargest) {
    throw new RangeError(`nestingDepthMax must be a whole number from 0 to ${nestingDepthLargest}: ${depth}`);
  }
  return {
    scheme: options.scheme ?? fullScheme,
    nestingDepthMax: depth,
    lists: options.lists === undefined ? undefined : new Set(options.lists),
  };
}

function checkLength(source: string): void {
  if (source.length <= expressionCharactersMax) return;
  let characters = 0;
  let position = 0;
  for (const character of source) {
    if (++characters > expressionCharactersMax) {
      const message = `expression is too long (limit: ${expressionCharactersMax} characters)`;
      throw new ParseRefusal('length_limit', message, { start: position, end: source.length });
    }
    position += character.length;
  }
}
