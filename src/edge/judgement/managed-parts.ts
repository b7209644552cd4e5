import { type CompileParts, ManagedPrograms } from '#firewall';
import { managedRulesets, previousPackages } from '#managed';

/** What all zones of a process share of the managed rules. */
export const managedParts: CompileParts = {
  catalogue: { rulesets: managedRulesets, previousPackages },
  programs: new ManagedPrograms(),
};
