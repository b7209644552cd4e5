/** Packages, groups, rules and overrides of the previous managed rules: how they are read and changed. */
import { queryOptions } from '@tanstack/react-query';
import { callApi, get, lookUp } from '../../../api/client.ts';
import { isSame, type Version, writeUnlessChanged } from '../../../api/guarded-write.ts';
import { ChangedError } from '../changes.ts';

export interface LegacyPackage {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly detection_mode: 'traditional' | 'anomaly';
  readonly sensitivity?: string;
  readonly action_mode?: string;
}

export interface LegacyGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly mode: 'on' | 'off';
  readonly package_id: string;
  readonly rules_count: number;
  readonly modified_rules_count: number;
}

export interface LegacyRule {
  readonly id: string;
  readonly description: string;
  readonly package_id: string;
  readonly group: { readonly id: string; readonly name: string };
  readonly mode: string;
  readonly default_mode?: string;
  readonly allowed_modes: readonly string[];
}

export interface UriOverride {
  readonly id: string;
  readonly paused: boolean;
  readonly urls: readonly string[];
  readonly priority: number;
  readonly groups: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
  readonly rewrite_action: Readonly<Record<string, string>>;
  readonly description: string | null;
}

interface Setting {
  readonly value: 'on' | 'off';
  readonly editable: boolean;
}

const pageSize = 100;

function keyOf(zoneId: string, ...rest: readonly string[]): readonly string[] {
  return ['zones', zoneId, 'previous-rules', ...rest];
}

function packagePath(zoneId: string, packageId: string): string {
  return `/zones/${zoneId}/firewall/waf/packages/${encodeURIComponent(packageId)}`;
}

/** Every page of a list. */
async function getAll<Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await callApi<readonly Item[]>('GET', path, {
      query: { page, per_page: pageSize },
      signal,
    });
    items.push(...answer.result);
    if (page >= (answer.result_info?.total_pages ?? 1)) return items;
  }
}

export function switchQuery(zoneId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'switch'),
    queryFn: ({ signal }) => get<Setting>(`/zones/${zoneId}/settings/waf`, { signal }),
  });
}

export function packagesQuery(zoneId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'packages'),
    queryFn: ({ signal }) => getAll<LegacyPackage>(`/zones/${zoneId}/firewall/waf/packages`, signal),
  });
}

export function groupsQuery(zoneId: string, packageId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'groups', packageId),
    queryFn: ({ signal }) => getAll<LegacyGroup>(`${packagePath(zoneId, packageId)}/groups`, signal),
  });
}

export function rulesQuery(zoneId: string, packageId: string) {
  return queryOptions({
    queryKey: keyOf(zoneId, 'rules', packageId),
    queryFn: ({ signal }) => getAll<LegacyRule>(`${packagePath(zoneId, packageId)}/rules`, signal),
  });
}

export function overridesQuery(zoneId: string) {
  return queryOptions({
    // Among what the update reads again: its banner can delete overrides.
    queryKey: ['zones', zoneId, 'migration', 'previous-overrides'],
    queryFn: ({ signal }) => getAll<UriOverride>(`/zones/${zoneId}/firewall/waf/overrides`, signal),
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
    const { result: current, version } = await callApi<Thing>('GET', path);
    if (names.some((name) => current[name] !== seen[name])) throw new ChangedError(what);
    return version;
  };
  const { messages } = await writeUnlessChanged(look, (version) => callApi('PATCH', path, { body, version }));
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
  content: Omit<UriOverride, 'id'>,
): Promise<readonly string[]> {
  const all = `/zones/${zoneId}/firewall/waf/overrides`;
  if (seen === undefined) {
    const { messages } = await callApi('POST', all, { body: content });
    return messages.map(({ message }) => message);
  }
  const path = `${all}/${seen.id}`;
  const body = { id: seen.id, ...content };
  const { messages } = await writeUnlessChanged(
    () => expectSame(path, seen),
    (version) => callApi('PUT', path, { body, version }),
  );
  return messages.map(({ message }) => message);
}

export async function deleteOverride(zoneId: string, seen: UriOverride): Promise<readonly string[]> {
  const path = `/zones/${zoneId}/firewall/waf/overrides/${seen.id}`;
  await writeUnlessChanged(
    () => expectSame(path, seen),
    (version) => callApi('DELETE', path, { version }),
  );
  return [];
}

async function expectSame(path: string, seen: UriOverride): Promise<Version> {
  const { result, version } = await lookUp<UriOverride>(path);
  if (!isSame(result, seen)) throw new ChangedError('this override');
  return version;
}
