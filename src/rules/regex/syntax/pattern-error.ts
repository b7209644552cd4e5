import type { PatternError } from '../types.ts';

export interface PatternSpan {
  readonly start: number;
  readonly end: number;
}

/** Thrown by a parser; the entry point of the room catches it and returns a value. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
  readonly reason: string;
  /** The place of the mistake first; for a duplicate also the place of the first one. */
  readonly spans: readonly [PatternSpan, ...PatternSpan[]];

  constructor(reason: string, span: PatternSpan, ...others: PatternSpan[]) {
    super(reason);
    this.reason = reason;
    this.spans = [span, ...others];
  }
}

/** A reason without a place in the text: the pattern as a whole exceeds a limit. */
export function wholePatternError(source: string, message: string): PatternError {
  return { message, reason: message, start: 0, end: source.length };
}

/** The error as the `regex` crate prints it: the source indented or numbered, carets below it, the reason. */
export function patternErrorOf(source: string, { reason, spans }: SyntaxProblem): PatternError {
  const { start, end } = spans[0];
  const lines = linesOf(source);
  const isMultiLine = source.includes('\n');
  const numberWidth = lines.length > 1 ? String(lines.length).length : 0;
  const notes: string[] = [];
  let text = '';
  for (const [index, line] of lines.entries()) {
    // A final line feed starts a line that can contain a position, but that is not shown.
    if (index > 0 && line.start === source.length) break;
    text += numberWidth === 0 ? '    ' : `${String(index + 1).padStart(numberWidth)}: `;
    text += `${line.text.replace(/\r$/, line === lines.at(-1) ? '$&' : '')}\n`;
    const carets = caretsUnder(line, spans, source);
    if (carets !== '') text += `${' '.repeat(numberWidth === 0 ? 4 : numberWidth + 2)}${carets}\n`;
  }
  for (const span of spans) {
    const [first, last] = [lineOf(lines, span.start), lineOf(lines, span.end)];
    if (first === last) continue;
    notes.push(
      `on line ${first + 1} (column ${columnOf(lines[first]!, span.start, source)}) ` +
        `through line ${last + 1} (column ${columnOf(lines[last]!, span.end, source) - 1})`,
    );
  }
  const divider = `${'~'.repeat(79)}\n`;
  const body = isMultiLine ? divider + text + divider + notes.map((note) => `${note}\n`).join('') : text;
  return { message: `regex parse error:\n${body}error: ${reason}`, reason, start, end };
}

interface PatternLine {
  readonly text: string;
  readonly start: number;
}

function linesOf(source: string): PatternLine[] {
  const lines: PatternLine[] = [];
  let start = 0;
  for (const text of source.split('\n')) {
    lines.push({ text, start });
    start += text.length + 1;
  }
  return lines;
}

function lineOf(lines: readonly PatternLine[], position: number): number {
  return lines.findLastIndex((line) => line.start <= position);
}

/** Columns count characters, from 1. */
function columnOf(line: PatternLine, position: number, source: string): number {
  return Array.from(source.slice(line.start, position)).length + 1;
}

function caretsUnder(line: PatternLine, spans: readonly PatternSpan[], source: string): string {
  const end = line.start + line.text.length;
  let carets = '';
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    if (span.start < line.start || span.start > end || span.end > end) continue;
    const column = columnOf(line, span.start, source);
    const width = Math.max(1, columnOf(line, span.end, source) - column);
    carets = carets.padEnd(column - 1) + '^'.repeat(width);
  }
  return carets;
}
