/**
 * The summaries of the managed rules, with which a process loads them without compiling them. To be written after a change of
 * the rules, or of how `src/expressions` finds guards; a test says so.
 *
 *     npm run summaries
 */
import { writeFileSync } from 'node:fs';
import { digestRules, summarizeRules } from '#firewall';
import { legacyPackages, managedRulesets } from '#managed';

export const summariesFile = new URL('../src/managed/summaries.json', import.meta.url);

/** With a line for each clause, so that a change of one rule is a change of a few lines. */
export function writeSummaries(): string {
  const lists = [...managedRulesets.values(), ...legacyPackages].filter(({ rules }) => rules.length > 0);
  // Lists with the same expressions share one.
  const written = new Map(lists.map(({ rules }) => [digestRules(rules), writeSummary(rules)]));
  return `{\n${Array.from(written, ([digest, text]) => `"${digest}": ${text}`).join(',\n')}\n}\n`;
}

function writeSummary(rules: readonly { readonly expression: string }[]): string {
  const { list, bodyReaders } = summarizeRules(rules);
  const { clauses, ...rest } = list;
  const lines = clauses.map((clause) => JSON.stringify(clause)).join(',\n');
  const head = JSON.stringify({ bodyReaders, list: rest }).slice(0, -2);
  return `${head},"clauses":[\n${lines}\n]}}`;
}

if (import.meta.main) writeFileSync(summariesFile, writeSummaries());
