/** Explanations for people and for programs. */
import type { Explanation, Json, Seen } from '#expressions';
import { jsonFrom } from './expr-values.ts';

/** One line for each part, deeper parts further in. */
export function printExplanation(explanation: Explanation, depth = 0): string {
  const { outcome, text, parts } = explanation;
  const mark = outcome.state === 'reached' ? resultText(outcome.result) : '-';
  const seen =
    outcome.state === 'reached' && outcome.seen !== undefined ? `    ${seenText(outcome.seen)}` : '';
  const line = `${'  '.repeat(depth)}${mark}  ${inOneLine(text)}${seen}\n`;
  return line + parts.map((part) => printExplanation(part, depth + 1)).join('');
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

function resultText(result: boolean | readonly boolean[] | undefined): string {
  if (result === undefined) return 'nil';
  return typeof result === 'boolean' ? String(result) : `[${result.join(' ')}]`;
}

function seenText({ operand, value, matches }: Seen): string {
  const places = matches.flatMap(({ element, bytes }) => {
    const where = element === undefined ? [] : [`element ${element}`];
    return bytes === undefined ? where : [...where, `bytes ${bytes.start} to ${bytes.end}`];
  });
  const text = value === undefined ? 'nil' : JSON.stringify(jsonFrom(value));
  return `${inOneLine(operand)} = ${text}${places.length === 0 ? '' : ` (${places.join(', ')})`}`;
}

export function explanationJson({ kind, span, text, outcome, parts }: Explanation): Json {
  return {
    kind,
    span: { start: span.start, end: span.end },
    text,
    ...outcomeJson(outcome),
    parts: parts.map(explanationJson),
  };
}

function outcomeJson(outcome: Explanation['outcome']): Record<string, Json> {
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
          value: jsonFrom(seen.value),
          matches: seen.matches.map((match) => ({ ...match })),
        }),
  };
}
