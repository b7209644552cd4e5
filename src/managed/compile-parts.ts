import { type CompileParts, ManagedPrograms } from '#firewall';
import { managedRulesets } from './catalogue.ts';
import { legacyPackages } from './legacy/packages.ts';

/** What all zones of a process share of the compiled managed rules. */
export const managedParts: CompileParts = {
  catalogue: { rulesets: managedRulesets, legacyPackages },
  programs: new ManagedPrograms(),
};
