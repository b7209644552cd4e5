/** Tokens as the API shows them, and the permissions that a form gives to a new one. */
import { queryOptions } from '@tanstack/react-query';
import { get } from '../../api/client.ts';
import { getAll } from '../../api/get-all.ts';
import type { Zone } from '../../api/types.ts';

interface AddressCondition {
  readonly in?: readonly string[] | null;
  readonly not_in?: readonly string[] | null;
}

interface Policy {
  readonly effect: 'allow' | 'deny';
  readonly permission_groups: readonly { readonly id: string; readonly name?: string }[];
  readonly resources: Readonly<Record<string, '*' | Readonly<Record<string, '*'>>>>;
}

export interface Token {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'disabled' | 'expired';
  readonly issued_on: string;
  readonly last_used_on?: string;
  readonly not_before?: string;
  readonly expires_on?: string;
  readonly creator_email_at_creation?: string;
  readonly policies: readonly Policy[];
  readonly condition?: { readonly request_ip?: AddressCondition; readonly 'request.ip'?: AddressCondition };
}

export interface PermissionGroup {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

/** Whose token it is: tokens of the account stay when a person goes. */
export type Owner = 'user' | 'account';

export function getTokensPath(owner: Owner, accountId: string): string {
  return owner === 'user' ? '/user/tokens' : `/accounts/${accountId}/tokens`;
}

export function tokensQuery(owner: Owner, accountId: string) {
  return queryOptions({
    queryKey: ['tokens', owner, accountId],
    queryFn: ({ signal }) =>
      getAll<Token>(getTokensPath(owner, accountId), { query: { direction: 'desc' }, signal }),
  });
}

export const permissionGroupsQuery = queryOptions({
  queryKey: ['permission-groups'],
  queryFn: ({ signal }) =>
    get<readonly PermissionGroup[]>('/user/tokens/permission_groups', { query: { is_served: true }, signal }),
  staleTime: Infinity,
});

/** All of them, where the list of sites shows the first page. */
export const everyZoneQuery = queryOptions({
  queryKey: ['zones', 'every'],
  queryFn: ({ signal }) => getAll<Zone>('/zones', { signal }),
});

export const scopes = [
  { id: 'com.cloudflare.api.account.zone', label: 'Sites' },
  { id: 'com.cloudflare.api.account', label: 'Account' },
  { id: 'com.cloudflare.api.user', label: 'Your user' },
] as const;

export type Level = 'none' | 'read' | 'write';

/** What can be read, or read and changed: two permission groups whose names differ in their last word. */
export interface Subject {
  readonly name: string;
  readonly scope: string;
  readonly read?: PermissionGroup;
  readonly write?: PermissionGroup;
}

export function listSubjects(groups: readonly PermissionGroup[]): readonly Subject[] {
  const subjects = new Map<string, Subject>();
  for (const group of groups) {
    const scope = group.scopes[0] ?? '';
    const [, name = group.name, kind = 'Write'] = /^(.*) (Read|Write)$/.exec(group.name) ?? [];
    const key = `${scope}/${name}`;
    const found = subjects.get(key) ?? { name, scope };
    subjects.set(key, { ...found, [kind === 'Read' ? 'read' : 'write']: group });
  }
  return [...subjects.values()];
}

export function getSubjectKey({ scope, name }: Subject): string {
  return `${scope}/${name}`;
}

export interface Draft {
  readonly name: string;
  readonly owner: Owner;
  readonly levels: Readonly<Record<string, Level>>;
  /** Empty: all sites, also those that are created later. */
  readonly zoneIds: readonly string[];
  readonly isEveryZone: boolean;
  readonly expiresOn: string;
  readonly allowed: string;
  readonly refused: string;
}

interface Owners {
  readonly accountId: string;
  readonly userId: string;
}

/** One policy for each kind of resource that a permission is given on. */
export function writePolicies(
  draft: Draft,
  subjects: readonly Subject[],
  { accountId, userId }: Owners,
): readonly Policy[] {
  const zones = draft.isEveryZone ? ['*'] : draft.zoneIds;
  const resources: Readonly<Record<string, Policy['resources']>> = {
    'com.cloudflare.api.account.zone': Object.fromEntries(
      zones.map((id) => [`com.cloudflare.api.account.zone.${id}`, '*']),
    ),
    'com.cloudflare.api.account': { [`com.cloudflare.api.account.${accountId}`]: '*' },
    'com.cloudflare.api.user': { [`com.cloudflare.api.user.${userId}`]: '*' },
  };
  return scopes.flatMap(({ id: scope }) => {
    const chosen = subjects
      .filter((subject) => subject.scope === scope)
      .flatMap((subject) => pickGroups(subject, draft.levels[getSubjectKey(subject)] ?? 'none'));
    if (chosen.length === 0) return [];
    return [{ effect: 'allow', permission_groups: chosen, resources: resources[scope]! } as const];
  });
}

function pickGroups({ read, write }: Subject, level: Level): readonly { readonly id: string }[] {
  if (level === 'none') return [];
  const groups = level === 'read' ? [read] : [read, write];
  return groups.flatMap((group) => (group === undefined ? [] : [{ id: group.id }]));
}

export function writeToken(draft: Draft, policies: readonly Policy[]): object {
  const [allowed, refused] = [splitLines(draft.allowed), splitLines(draft.refused)];
  const addresses = {
    ...(allowed.length === 0 ? {} : { in: allowed }),
    ...(refused.length === 0 ? {} : { not_in: refused }),
  };
  return {
    name: draft.name.trim(),
    policies,
    ...(draft.expiresOn === '' ? {} : { expires_on: new Date(draft.expiresOn).toISOString() }),
    ...(Object.keys(addresses).length === 0 ? {} : { condition: { request_ip: addresses } }),
  };
}

function splitLines(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}
