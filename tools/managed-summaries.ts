/**
 * The summaries of the managed rules, with which a process loads them without compiling them. Must be regenerated after
 * a change of the rules, or of how `src/rules/expressions` finds guards; a test checks that.
 */
import { writeFileSync } from 'node:fs';
import { digestRules, summarizeRules } from '#firewall';
import { legacyPackages, managedRulesets } from '#managed';

export const summariesFile = new URL('../src/rules/managed/summaries.json', import.meta.url);

/** With a line for each clause, so that a change of one rule changes only a few lines. */
export function writeSummaries(): string {
  // Lists with the same expressions share one.
  const written = new Map(listExpressions().map((rules) => [digestRules(rules), writeSummary(rules)]));
  return `{\n${Array.from(written, ([digest, text]) => `"${digest}": ${text}`).join(',\n')}\n}\n`;
}

/** The OWASP rules have none, because they are in another language. */
function listExpressions(): readonly (readonly { readonly expression: string }[])[] {
  return [...managedRulesets.values(), ...legacyPackages]
    .map(({ rules }) => rules.flatMap(({ expression }) => (expression === undefined ? [] : [{ expression }])))
    .filter((rules) => rules.length > 1);
}

function writeSummary(rules: readonly { readonly expression: string }[]): string {
  const { list, bodyReaders } = summarizeRules(rules);
  const { clauses, ...rest } = list;
  const lines = clauses.map((clause) => JSON.stringify(clause)).join(',\n');
  const head = JSON.stringify({ bodyReaders, list: rest }).slice(0, -2);
  return `${head},"clauses":[\n${lines}\n]}}`;
}

if (import.meta.main) writeFileSync(summariesFile, writeSummaries());
