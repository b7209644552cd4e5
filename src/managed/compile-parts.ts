import { type CompileParts, ManagedPrograms } from '#firewall';
import { managedRulesets } from './catalogue.ts';
import { previousPackages } from './legacy/packages.ts';

/** What all zones of a process share of the managed rules when they are compiled. */
export const managedParts: CompileParts = {
  catalogue: { rulesets: managedRulesets, previousPackages },
  programs: new ManagedPrograms(),
};
