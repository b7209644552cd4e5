/** Tokens as the API shows them, and the permissions that exist. */
import { queryOptions } from '@tanstack/react-query';
import type { Result, Sent } from '#client';
import { client, collect, resultOf } from '../../api/client.ts';

export type Token = Result<'tokens.get'>;
export type Policy = Sent<'tokens.create'>['policies'][number];

export type PermissionGroup = Result<'tokens.listPermissionGroups'>[number];

/** Whose token it is: tokens of the account stay when a person goes. */
export type Owner = 'user' | 'account';

export function getTokensPath(owner: Owner, accountId: string): string {
  return owner === 'user' ? '/user/tokens' : `/accounts/${accountId}/tokens`;
}

export function tokensQuery(owner: Owner, accountId: string) {
  return queryOptions({
    queryKey: ['tokens', owner, accountId],
    queryFn: ({ signal }) =>
      collect(
        client.listAt<Token>(getTokensPath(owner, accountId), { query: { direction: 'desc' }, signal }),
      ),
  });
}

export const permissionGroupsQuery = queryOptions({
  queryKey: ['permission-groups'],
  queryFn: ({ signal }) =>
    resultOf(client.get('/user/tokens/permission_groups', { query: { is_served: true }, signal })),
  staleTime: Infinity,
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
