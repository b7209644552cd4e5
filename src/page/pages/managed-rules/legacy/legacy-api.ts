/** Packages, groups, rules and overrides of the previous managed rules: how they are read and changed. */
import { queryOptions } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client, collect, lookUp, resultOf } from '../../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../../api/guarded-write.ts';
import { ChangedError } from '../changes.ts';

export type LegacyPackage = Result<'wafPackages.get'>;
export type LegacyGroup = Result<'wafGroups.get'>;
export type LegacyRule = Result<'wafRules.get'>;
export type UriOverride = Result<'wafOverrides.get'>;
export type OverrideMode = UriOverride['rules'][string];
type Setting = Result<'settings.get'>;

const query = { per_page: 100 };

function keyOf(zoneId: string, ...rest: readonly string[]): readonly string[] {
  return ['zones', zoneId, 'previous-rules', ...rest];
}

function packagePath(zoneId: string, packageId: string): string {
  return `/zones/${zoneId}/firewall/waf/packages/${encodeURIComponent(packageId)}`;
}

export function switchQuery(zoneId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'switch'),
    queryFn: ({ signal }) =>
      resultOf(
        client.get('/zones/{zone_id}/settings/{setting_id}', { zone_id: zoneId, setting_id: 'waf', signal }),
      ),
  });
}

export function packagesQuery(zoneId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'packages'),
    queryFn: ({ signal }) =>
      collect(client.list('/zones/{zone_id}/firewall/waf/packages', { zone_id: zoneId, query, signal })),
  });
}

export function groupsQuery(zoneId: string, packageId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'groups', packageId),
    queryFn: ({ signal }) =>
      collect(
        client.list('/zones/{zone_id}/firewall/waf/packages/{package_id}/groups', {
          zone_id: zoneId,
          package_id: packageId,
          query,
          signal,
        }),
      ),
  });
}

export function rulesQuery(zoneId: string, packageId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'rules', packageId),
    queryFn: ({ signal }) =>
      collect(
        client.list('/zones/{zone_id}/firewall/waf/packages/{package_id}/rules', {
          zone_id: zoneId,
          package_id: packageId,
          query,
          signal,
        }),
      ),
  });
}

export function overridesQuery(zoneId: string) {
  return queryOptions({
    // Among what the update reads again: its banner can delete overrides.
    queryKey: ['zones', zoneId, 'migration', 'previous-overrides'],
    queryFn: ({ signal }) =>
      collect(client.list('/zones/{zone_id}/firewall/waf/overrides', { zone_id: zoneId, query, signal })),
  });
}

/** Sends a change only if what it changes is still as the reader saw it. */
async function edit<Thing extends object>(
  path: string,
  seen: Thing,
  { body, what }: { readonly body: Partial<Thing>; readonly what: string },
): Promise<readonly string[]> {
  const names = Object.keys(body) as (keyof Thing)[];
  const look = async (): Promise<Version> => {
    const { result: current, version } = await client.ask<Thing>('GET', path);
    if (names.some((name) => current[name] !== seen[name])) throw new ChangedError(what);
    return version;
  };
  const { messages } = await writeUnlessChanged(look, (version) =>
    client.ask('PATCH', path, { body, version }),
  );
  return messages.map(({ message }) => message);
}

export function editSwitch(zoneId: string, seen: Setting, value: Setting['value']) {
  return edit(`/zones/${zoneId}/settings/waf`, seen, { body: { value }, what: 'this switch' });
}

export function editPackage(zoneId: string, seen: LegacyPackage, body: Partial<LegacyPackage>) {
  return edit(packagePath(zoneId, seen.id), seen, { body, what: `the package ${seen.name}` });
}

export function editGroup(zoneId: string, seen: LegacyGroup, mode: LegacyGroup['mode']) {
  const path = `${packagePath(zoneId, seen.package_id)}/groups/${encodeURIComponent(seen.id)}`;
  return edit(path, seen, { body: { mode }, what: `the group ${seen.name}` });
}

export function editRule(zoneId: string, seen: LegacyRule, mode: string) {
  const path = `${packagePath(zoneId, seen.package_id)}/rules/${encodeURIComponent(seen.id)}`;
  return edit(path, seen, { body: { mode }, what: `rule ${seen.id}` });
}

/** Creates the override if there is none yet to replace. */
export async function saveOverride(
  zoneId: string,
  seen: UriOverride | undefined,
  content: Sent<'wafOverrides.create'>,
): Promise<readonly string[]> {
  const { messages } =
    seen === undefined
      ? await client.post('/zones/{zone_id}/firewall/waf/overrides', { zone_id: zoneId, body: content })
      : await writeUnlessChanged(
          () => expectSame(zoneId, seen),
          (version) =>
            client.put('/zones/{zone_id}/firewall/waf/overrides/{override_id}', {
              ...namesOf(zoneId, seen),
              body: { id: seen.id, ...content },
              version,
            }),
        );
  return messages.map(({ message }) => message);
}

export async function deleteOverride(zoneId: string, seen: UriOverride): Promise<readonly string[]> {
  await writeUnlessChanged(
    () => expectSame(zoneId, seen),
    (version) =>
      client.delete('/zones/{zone_id}/firewall/waf/overrides/{override_id}', {
        ...namesOf(zoneId, seen),
        version,
      }),
  );
  return [];
}

function namesOf(zoneId: string, { id }: UriOverride) {
  return { zone_id: zoneId, override_id: id };
}

async function expectSame(zoneId: string, seen: UriOverride): Promise<Version> {
  const { result, version } = await lookUp(
    client.get('/zones/{zone_id}/firewall/waf/overrides/{override_id}', namesOf(zoneId, seen)),
  );
  if (!isSame(result, seen)) throw new ChangedError('this override');
  return version;
}
