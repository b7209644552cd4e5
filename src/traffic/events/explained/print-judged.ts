/** Prints explanations on the terminal: one line per part, nested parts indented. */
import type { SecurityEvent } from '../event.ts';
import type {
  Judged,
  JudgedChange,
  JudgedDecider,
  JudgedPart,
  JudgedRule,
  JudgedScore,
  JudgedStep,
} from '../judged/judged.ts';
import { formatMatch, summarizeRule } from '../judged/summary.ts';
import { isRuleOf } from './excepted.ts';
import type { ExplainedEvent } from './explained-event.ts';
import type { Exception } from './suggest-exceptions.ts';

/**
 * The shortest form comes first: one sentence, the same with ids, then the request, then what to do, then every step.
 */
export function printExplained(explained: ExplainedEvent): string {
  const { sentence, summary, event, explanation, exceptions } = explained;
  const head = `${sentence}
${summary}
  event    ${event.id}
  time     ${event.datetime}
  request  ${event.clientRequestHTTPMethodName} ${event.clientRequestScheme}://${event.clientRequestHTTPHost}${event.clientRequestPath}${event.clientRequestQuery}
  client   ${event.clientIP}${event.clientCountryName === '' ? '' : ` (${event.clientCountryName})`}
  answer   ${event.edgeResponseStatus}
`;
  const details =
    explanation === null
      ? 'There is no explanation: only the data above was stored for the request.\n'
      : printJudged(explanation, event);
  return escapeUnprintable(
    [
      head,
      ...formatDeciders(explanation?.alsoDeciding ?? []),
      ...formatExceptions(exceptions),
      `\n${details}`,
    ].join(''),
  );
}

function formatDeciders(deciders: readonly JudgedDecider[]): string[] {
  if (deciders.length === 0) return [];
  return [
    '\nalso would have decided\n',
    ...deciders.map((rule) => `  ${summarizeRule(rule, rule.found ?? [])}\n`),
  ];
}

/** For a shell with the variables that `gatehouse env --for curl` sets. */
function formatExceptions(exceptions: readonly Exception[]): string[] {
  if (exceptions.length === 0) return [];
  return [
    `\nto create an exception for ${exceptions[0]!.expression}\n`,
    ...exceptions.flatMap(({ narrower = [], alternatives = [], ...exception }) => [
      ...narrower.map((each) => formatException(each, 'the narrowest: ')),
      formatException(exception, narrower.length > 0 ? 'or, if that is not sufficient: ' : ''),
      ...alternatives.map((each) => formatException(each, `or instead, but ${each.warning}: `)),
    ]),
  ];
}

function formatException({ effect, request: { method, path, body } }: Exception, prefix: string): string {
  const json = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  const url = `"$API${path}"`;
  return `  # ${prefix}${effect}\n  curl -X ${method} -H "$AUTHORIZATION" ${url} -H 'Content-Type: application/json' -d '${json}'\n`;
}

function printJudged({ version, steps, rules, changes = [] }: Judged, event: SecurityEvent): string {
  return [
    `version ${version} of the zone's configuration, step by step\n`,
    ...steps.map(formatStep),
    ...changes.map((change) => `\n${formatChange(change)}`),
    ...rules.map((rule) => `\n${formatRule(rule, isRuleOf(rule, event))}`),
  ].join('');
}

function formatStep(step: JudgedStep): string {
  const { source, phase, rulesetId, version, level, reached, ruleCount, matched, end } = step;
  const ruleset = rulesetId === '' ? '' : `, ruleset ${rulesetId} of the ${level}, version ${version}`;
  const name = phase === '' ? source : `${source} (${phase})`;
  const found = matched.length === 0 ? '' : `, matched: ${matched.join(', ')}`;
  return `  ${name}${ruleset}: ${reached} of ${ruleCount} rules${found}, ${end}\n`;
}

function formatChange({ source, ruleId, description, effect, tree }: JudgedChange): string {
  const line = `${source} rule ${ruleId}${formatDescription(description)} ${effect}\n`;
  return tree === undefined ? line : line + formatPart(tree, 1);
}

function formatRule(
  { ruleId, source, action, description, tree, score, evidence, rate, asked }: JudgedRule,
  isMarked: boolean,
): string {
  const lines = [
    `${action} by ${source} rule ${ruleId}${formatDescription(description)}${isMarked ? '  <- this event' : ''}\n`,
  ];
  if (tree !== undefined) lines.push(formatPart(tree, 1));
  if (rate !== undefined) lines.push(`  ${rate}\n`);
  if (asked !== undefined) lines.push(`  ${asked}\n`);
  if (evidence !== undefined)
    lines.push('  likely by itself, and sure together with rules that score\n', ...formatScore(evidence));
  if (score !== undefined) lines.push(...formatScore(score));
  return lines.join('');
}

function formatScore({ total, threshold, contributions }: JudgedScore): string[] {
  return [
    `  score ${total}, the threshold is ${threshold}\n`,
    ...contributions.flatMap((part) => [
      `  ${part.score} of rule ${part.ruleId}${formatDescription(part.description)}\n`,
      formatPart(part.tree, 2),
    ]),
  ];
}

function formatDescription(description: string): string {
  return description === '' ? '' : `: ${description}`;
}

function formatPart(
  { text, result, field, value, matched = [], parts = [] }: JudgedPart,
  depth: number,
): string {
  const mark = result === 'not reached' ? '-' : result;
  const seen = field === undefined ? '' : `    ${field} = ${JSON.stringify(value)}`;
  const places = matched.map(formatMatch);
  const found = places.length === 0 ? '' : ` (${places.join(', ')})`;
  const line = `${'  '.repeat(depth)}${mark}  ${text.replaceAll(/\s+/g, ' ')}${seen}${found}\n`;
  return line + parts.map((part) => formatPart(part, depth + 1)).join('');
}

/** Requests contain arbitrary text: characters that would move the cursor or change colours are shown as codes. */
function escapeUnprintable(text: string): string {
  return text.replaceAll(
    // oxlint-disable-next-line no-control-regex -- the pattern looks for them
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
