/** Finding what a path names in the catalogue of previous managed rules: what is not there is a fault of the caller's. */
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

export function packageOf(path: Path): PreviousPackage {
  const found = previousPackages.find(({ id }) => id === path['package_id']);
  if (found === undefined) throw fault(wafCodes.wafPackageNotFound);
  return found;
}

export function groupOf(path: Path): PreviousGroup {
  const { id } = packageOf(path);
  const group = previousGroups.get(path['group_id']!);
  if (group?.packageId !== id) throw fault(wafCodes.wafGroupNotFound);
  return group;
}

export function ruleOf(path: Path): PreviousRule {
  const { id } = packageOf(path);
  const rule = previousRules.get(path['rule_id']!);
  if (rule?.packageId !== id) throw fault(wafCodes.wafRuleNotFound);
  return rule;
}
