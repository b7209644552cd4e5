/** The shortest explanation: one line with the rule, its match and the place of the match. */
import type { FoundMatch, JudgedPart, JudgedPlace, JudgedRule } from './judged.ts';

/** The matches that made an expression true, in the order written: matches inside of false parts do not count. */
export function listFound({ result, field, matched = [], parts = [] }: JudgedPart): readonly FoundMatch[] {
  if (result !== 'true') return [];
  // The name of a part says more than the field that contains it.
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

/** For a rule that acted: a score is explained by the matches of its rules. */
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
