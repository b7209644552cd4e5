import { type CompileParts, ManagedPrograms, type StoredSummaries } from '#firewall';
import { managedRulesets } from './catalogue.ts';
import { legacyPackages } from './legacy/packages.ts';
import summaries from './summaries.json' with { type: 'json' };

/**
 * The compiled managed rules that all zones of a process share. The summaries are shipped with the program:
 * `npm run generate`.
 */
export const managedParts: CompileParts = {
  catalogue: { rulesets: managedRulesets, legacyPackages },
  programs: new ManagedPrograms(summaries as unknown as StoredSummaries),
};
