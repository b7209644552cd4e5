import { type CompileParts, ManagedPrograms, type StoredSummaries } from '#firewall';
import { managedRulesets } from './catalogue.ts';
import { legacyPackages } from './legacy/packages.ts';
import summaries from './summaries.json' with { type: 'json' };

/**
 * What all zones of a process share of the compiled managed rules. The summaries come with the program: `npm run
 * summaries`.
 */
export const managedParts: CompileParts = {
  catalogue: { rulesets: managedRulesets, legacyPackages },
  programs: new ManagedPrograms(summaries as unknown as StoredSummaries),
};
