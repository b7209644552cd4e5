/** The shortest explanation: one line with the rule, what it found and where. */
import type { FoundMatch, JudgedPart, JudgedPlace, JudgedRule } from './judged.ts';

/** What made an expression true, in the order written: matches inside of parts that are false do not count. */
export function listFound({ result, field, matched = [], parts = [] }: JudgedPart): readonly FoundMatch[] {
  if (result !== 'true') return [];
  // The name of a part says more than the field that it is in.
  const own = matched.map((match) =>
    match.where === undefined && field !== undefined ? { ...match, field } : match,
  );
  return [...own, ...parts.flatMap(listFound)];
}

interface NamedRule {
  readonly action: string;
  readonly source: string;
  readonly ruleId: string;
  readonly description: string;
}

/** `block by firewallManaged rule 1f…: SQL injection; "union select" in argument "q" at 3` */
export function summarizeRule(rule: NamedRule, found: readonly FoundMatch[]): string {
  const { action, source, ruleId, description } = rule;
  const first = found.find(({ where }) => where !== undefined) ?? found[0];
  return [
    `${action} by ${source} rule ${ruleId}${description === '' ? '' : `: ${description}`}`,
    ...(first === undefined ? [] : [formatMatch(first)]),
  ].join('; ');
}

/** Of a rule that acted: a score is explained by what its rules found. */
export function listFoundBy({ tree, score }: JudgedRule): readonly FoundMatch[] {
  const trees = score?.contributions.map((each) => each.tree) ?? (tree === undefined ? [] : [tree]);
  return trees.flatMap(listFound);
}

/** `"union select" in argument "q" at 3` */
export function formatMatch({ text, start, where, field, why }: FoundMatch): string {
  const quoted = JSON.stringify(text);
  const reason = why === undefined ? '' : ` (${why})`;
  if (where !== undefined) return `${quoted} in ${formatPlace(where)}${reason}`;
  return `${quoted}${field === undefined ? '' : ` in ${field}`} at ${start}`;
}

function formatPlace({ kind, name, start }: JudgedPlace): string {
  const named =
    name === '' && (kind === 'path' || kind === 'body') ? `the ${kind}` : `${kind} ${JSON.stringify(name)}`;
  return start === undefined ? named : `${named} at ${start}`;
}
