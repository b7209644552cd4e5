/**
 * An error in an expression, or a warning about it: a value with a location, in the wording of wirefilter, because
 * clients match the text. Hints are ours and separate.
 *
 * A location is given twice. `span` counts UTF-16 units of the source, as JavaScript and editors do. `line`, `column`
 * and `length` are those of wirefilter: they start at 1 and count bytes of UTF-8, a span ends with its line, and an
 * empty one still has one caret. The printed carets count characters, so that they are below the text they refer to.
 */
import type { Span } from './ast.ts';

type Severity = 'error' | 'warning';

/** Stable names for programs; the message is for readers (and for programs that match wirefilter's messages). */
export type DiagnosticCode =
  | 'argument_count'
  | 'argument_kind'
  | 'argument_type'
  | 'argument_value'
  | 'bad_address'
  | 'bad_escape'
  | 'bad_index'
  | 'bad_list_name'
  | 'bad_number'
  | 'bad_range'
  | 'bad_regex'
  | 'bad_wildcard'
  | 'deprecated_field'
  | 'each_access'
  | 'expected_character'
  | 'expected_identifier'
  | 'expected_literal'
  | 'expected_operator'
  | 'function_use'
  | 'global_field'
  | 'length_limit'
  | 'nesting_limit'
  | 'operator_type'
  | 'phase'
  | 'raw_string_hashes'
  | 'regex_limit'
  | 'short_network'
  | 'type_mismatch'
  | 'unknown_identifier'
  | 'unknown_list'
  | 'unrecognised_input'
  | 'unterminated_string';

export interface Diagnostic {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  /** A suggested replacement, if there is one. */
  readonly hint?: string;
  readonly span: Span;
  readonly line: number;
  readonly column: number;
  /** How many carets wirefilter prints. */
  readonly length: number;
}

export interface SpannedProblem {
  readonly severity: Severity;
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly span: Span;
}

/** Adds the location in the source to a finding. */
export function locate(source: string, { hint, ...finding }: SpannedProblem): Diagnostic {
  const { start, end } = finding.span;
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const length = Buffer.byteLength(source.slice(start, Math.min(end, findLineEnd(source, start))));
  return {
    ...finding,
    ...(hint === undefined ? {} : { hint }),
    line: source.slice(0, lineStart).split('\n').length,
    column: Buffer.byteLength(source.slice(lineStart, start)) + 1,
    length: Math.max(1, length),
  };
}

function findLineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end === -1 ? source.length : end;
}

/**
 * The diagnostic as wirefilter prints it, with a last line `hint: …` if there is one:
 *
 * ```text
 * Filter parsing error (1:23):
 * http.host eq "é" and nope
 *                      ^^^^ unknown identifier
 * ```
 */
export function printDiagnostic(source: string, diagnostic: Diagnostic): string {
  const { severity, message, hint, line, column, span } = diagnostic;
  const title = severity === 'error' ? 'Filter parsing error' : 'Filter warning';
  const lineStart = source.lastIndexOf('\n', span.start - 1) + 1;
  const end = findLineEnd(source, span.start);
  const before = countCharacters(source.slice(lineStart, span.start));
  const carets = Math.max(1, countCharacters(source.slice(span.start, Math.min(span.end, end))));
  const text =
    `${title} (${line}:${column}):\n${source.slice(lineStart, end)}\n` +
    `${' '.repeat(before)}${'^'.repeat(carets)} ${message}\n`;
  return hint === undefined ? text : `${text}hint: ${hint}\n`;
}

function countCharacters(text: string): number {
  return Array.from(text).length;
}
