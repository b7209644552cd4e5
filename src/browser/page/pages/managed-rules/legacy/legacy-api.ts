/** Packages, groups, rules and overrides of the previous managed rules: their reads and changes. */
import type { Result, Sent } from '#client';
import { client } from '../../../api/client.ts';
import { readAll } from '../../../api/read.ts';
import { writeIfSame } from '../../../parts/forms/save.tsx';

export type LegacyPackage = Result<'wafPackages.get'>;
export type LegacyGroup = Result<'wafGroups.get'>;
export type LegacyRule = Result<'wafRules.get'>;
export type UriOverride = Result<'wafOverrides.get'>;
export type OverrideMode = UriOverride['rules'][string];
type Setting = Result<'settings.get'>;

const query = { per_page: 100 };
const packagesPath = '/zones/{zone_id}/firewall/waf/packages';
export const packagePath = `${packagesPath}/{package_id}` as const;
const overridesPath = '/zones/{zone_id}/firewall/waf/overrides';

export function packagesQuery(zone_id: string) {
  return readAll(packagesPath, { zone_id, query });
}

export function groupsQuery(zone_id: string, package_id: string) {
  return readAll(`${packagePath}/groups`, { zone_id, package_id, query });
}

export function rulesQuery(zone_id: string, package_id: string) {
  return readAll(`${packagePath}/rules`, { zone_id, package_id, query });
}

export function overridesQuery(zone_id: string) {
  return readAll(overridesPath, { zone_id, query });
}

export function editSwitch(zone_id: string, base: Setting, value: 'on' | 'off') {
  const path = '/zones/{zone_id}/settings/{setting_id}';
  const names = { zone_id, setting_id: 'waf' };
  const read = () => client.get(path, names);
  return writeIfSame({ read, base, pick: (setting) => setting.value, what: 'this switch' }, (version) =>
    client.patch(path, { ...names, body: { value }, version }),
  );
}

export type PackageEdits = Sent<'wafPackages.edit'>;

export function editPackage(zone_id: string, base: LegacyPackage, body: PackageEdits) {
  const names = { zone_id, package_id: base.id };
  const read = () => client.get(packagePath, names);
  const pick = ({ sensitivity, action_mode }: LegacyPackage) => [sensitivity, action_mode];
  return writeIfSame({ read, base, pick, what: `the package ${base.name}` }, (version) =>
    client.patch(packagePath, { ...names, body, version }),
  );
}

export function editGroup(zone_id: string, base: LegacyGroup, mode: LegacyGroup['mode']) {
  const path = `${packagePath}/groups/{group_id}` as const;
  const names = { zone_id, package_id: base.package_id, group_id: base.id };
  const read = () => client.get(path, names);
  return writeIfSame({ read, base, pick: (group) => group.mode, what: `the group ${base.name}` }, (version) =>
    client.patch(path, { ...names, body: { mode }, version }),
  );
}

export function editRule(zone_id: string, base: LegacyRule, mode: Sent<'wafRules.edit'>['mode']) {
  const path = `${packagePath}/rules/{rule_id}` as const;
  const names = { zone_id, package_id: base.package_id, rule_id: base.id };
  const read = () => client.get(path, names);
  return writeIfSame({ read, base, pick: (rule) => rule.mode, what: `rule ${base.id}` }, (version) =>
    client.patch(path, { ...names, body: { mode }, version }),
  );
}

const overridePath = `${overridesPath}/{override_id}` as const;

function guardOf(zone_id: string, base: UriOverride) {
  const names = { zone_id, override_id: base.id };
  return { names, guard: { read: () => client.get(overridePath, names), base, what: 'this override' } };
}

/** Creates the override if there is none yet to replace. */
export function saveOverride(
  zone_id: string,
  seen: UriOverride | undefined,
  content: Sent<'wafOverrides.create'>,
) {
  if (seen === undefined) return client.post(overridesPath, { zone_id, body: content });
  const { names, guard } = guardOf(zone_id, seen);
  const body = { id: seen.id, ...content };
  return writeIfSame(guard, (version) => client.put(overridePath, { ...names, body, version }));
}

export function deleteOverride(zone_id: string, seen: UriOverride) {
  const { names, guard } = guardOf(zone_id, seen);
  return writeIfSame(guard, (version) => client.delete(overridePath, { ...names, version }));
}
