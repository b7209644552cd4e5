/** Finds what a path names in the catalogue of legacy managed rules; throws a fault if it does not exist. */
import {
  type LegacyGroup,
  legacyGroups,
  type LegacyPackage,
  legacyPackages,
  type LegacyRule,
  legacyRules,
} from '#managed';
import { fault, wafCodes } from '#contract';

type Path = Readonly<Record<string, string>>;

export function findPackage(path: Path): LegacyPackage {
  const found = legacyPackages.find(({ id }) => id === path['package_id']);
  if (found === undefined) throw fault(wafCodes.wafPackageNotFound);
  return found;
}

export function findGroup(path: Path): LegacyGroup {
  const { id } = findPackage(path);
  const group = legacyGroups.get(path['group_id']!);
  if (group?.packageId !== id) throw fault(wafCodes.wafGroupNotFound);
  return group;
}

export function findRule(path: Path): LegacyRule {
  const { id } = findPackage(path);
  const rule = legacyRules.get(path['rule_id']!);
  if (rule?.packageId !== id) throw fault(wafCodes.wafRuleNotFound);
  return rule;
}
