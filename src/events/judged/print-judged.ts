/** Prints explanations on the terminal: one line per part, nested parts indented. */
import type { SecurityEvent } from '../event.ts';
import type { Judged, JudgedPart, JudgedRule, JudgedStep } from './judged.ts';

export function printExplained(event: SecurityEvent, judged: Judged | undefined): string {
  const head = `${event.action} by ${event.source} rule ${event.ruleId}${formatDescription(event.description)}
  event    ${event.id}
  time     ${event.datetime}
  request  ${event.clientRequestHTTPMethodName} ${event.clientRequestScheme}://${event.clientRequestHTTPHost}${event.clientRequestPath}${event.clientRequestQuery}
  client   ${event.clientIP}${event.clientCountryName === '' ? '' : ` (${event.clientCountryName})`}
  answer   ${event.edgeResponseStatus}
`;
  if (judged === undefined)
    return `${head}\nThere is no explanation: only what is shown above was stored of the request.\n`;
  return escapeUnprintable(`${head}\n${printJudged(judged, event)}`);
}

function printJudged({ version, steps, rules }: Judged, event: SecurityEvent): string {
  return [
    `version ${version} of the zone's configuration, step by step\n`,
    ...steps.map(formatStep),
    ...rules.map((rule) => `\n${formatRule(rule, isOf(rule, event))}`),
  ].join('');
}

function isOf(rule: JudgedRule, event: SecurityEvent): boolean {
  return rule.ruleId === event.ruleId && rule.rulesetId === event.rulesetId && rule.action === event.action;
}

function formatStep(step: JudgedStep): string {
  const { source, phase, rulesetId, version, level, reached, ruleCount, matched, end } = step;
  const ruleset = rulesetId === '' ? '' : `, ruleset ${rulesetId} of the ${level}, version ${version}`;
  const name = phase === '' ? source : `${source} (${phase})`;
  const found = matched.length === 0 ? '' : `, matched: ${matched.join(', ')}`;
  return `  ${name}${ruleset}: ${reached} of ${ruleCount} rules${found}, ${end}\n`;
}

function formatRule(
  { ruleId, source, action, description, tree, score }: JudgedRule,
  isMarked: boolean,
): string {
  const lines = [
    `${action} by ${source} rule ${ruleId}${formatDescription(description)}${isMarked ? '  <- this event' : ''}\n`,
  ];
  if (tree !== undefined) lines.push(formatPart(tree, 1));
  if (score !== undefined) {
    lines.push(`  score ${score.total}, the threshold is ${score.threshold}\n`);
    for (const part of score.contributions) {
      lines.push(
        `  ${part.score} of rule ${part.ruleId}${formatDescription(part.description)}\n`,
        formatPart(part.tree, 2),
      );
    }
  }
  return lines.join('');
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
  const places = matched.map((match) => `${JSON.stringify(match.text)} at ${match.start}`);
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
