/** Explanations for people and for programs. */
import type { Explanation, Json, Seen } from '#expressions';
import { toJson } from './values.ts';

/** One line per part, nested parts indented. */
export function printExplanation(explanation: Explanation, depth = 0): string {
  const { outcome, text, parts } = explanation;
  const mark = outcome.state === 'reached' ? formatResult(outcome.result) : '-';
  const seen =
    outcome.state === 'reached' && outcome.seen !== undefined ? `    ${formatSeen(outcome.seen)}` : '';
  const line = `${'  '.repeat(depth)}${mark}  ${joinLines(text)}${seen}\n`;
  return line + parts.map((part) => printExplanation(part, depth + 1)).join('');
}

function joinLines(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function formatResult(result: boolean | readonly boolean[] | undefined): string {
  if (result === undefined) return 'nil';
  return typeof result === 'boolean' ? String(result) : `[${result.join(' ')}]`;
}

function formatSeen({ operand, value, matches }: Seen): string {
  const places = matches.flatMap(({ element, bytes }) => {
    const where = element === undefined ? [] : [`element ${element}`];
    return bytes === undefined ? where : [...where, `bytes ${bytes.start} to ${bytes.end}`];
  });
  const text = value === undefined ? 'nil' : JSON.stringify(toJson(value));
  return `${joinLines(operand)} = ${text}${places.length === 0 ? '' : ` (${places.join(', ')})`}`;
}

export function toExplanationJson({ kind, span, text, outcome, parts }: Explanation): Json {
  return {
    kind,
    span: { start: span.start, end: span.end },
    text,
    ...toOutcomeJson(outcome),
    parts: parts.map(toExplanationJson),
  };
}

function toOutcomeJson(outcome: Explanation['outcome']): Record<string, Json> {
  if (outcome.state === 'not reached') return { reached: false };
  const { result, seen } = outcome;
  return {
    reached: true,
    result: result ?? null,
    ...(seen === undefined
      ? {}
      : {
          field: seen.field,
          operand: seen.operand,
          value: toJson(seen.value),
          matches: seen.matches.map((match) => ({ ...match })),
        }),
  };
}
