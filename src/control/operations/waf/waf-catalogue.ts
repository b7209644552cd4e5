/** Finds what a path names in the catalogue of legacy managed rules; throws a fault if it does not exist. */
import {
  type PreviousGroup,
  previousGroups,
  type PreviousPackage,
  previousPackages,
  type PreviousRule,
  previousRules,
} from '#managed';
import { fault, wafCodes } from '#api';

type Path = Readonly<Record<string, string>>;

export function findPackage(path: Path): PreviousPackage {
  const found = previousPackages.find(({ id }) => id === path['package_id']);
  if (found === undefined) throw fault(wafCodes.wafPackageNotFound);
  return found;
}

export function findGroup(path: Path): PreviousGroup {
  const { id } = findPackage(path);
  const group = previousGroups.get(path['group_id']!);
  if (group?.packageId !== id) throw fault(wafCodes.wafGroupNotFound);
  return group;
}

export function findRule(path: Path): PreviousRule {
  const { id } = findPackage(path);
  const rule = previousRules.get(path['rule_id']!);
  if (rule?.packageId !== id) throw fault(wafCodes.wafRuleNotFound);
  return rule;
}
