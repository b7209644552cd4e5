/** Tokens as the API returns them, and the existing permissions. */
import type { Result, Sent } from '#client';
import { client } from '../../api/client.ts';
import { read, readAll } from '../../api/read.ts';

export type Token = Result<'tokens.get'>;
export type Policy = Sent<'tokens.create'>['policies'][number];
type SentToken = Sent<'tokens.create'>;

export type PermissionGroup = Result<'tokens.listPermissionGroups'>[number];

/** The owner of a token: tokens of the account outlive its members. */
export type Owner = 'user' | 'account';

const query = { direction: 'desc' };

/** The calls for the tokens of an owner. */
export function callsOf(owner: Owner, account_id: string) {
  return owner === 'user' ? ofUser : ofAccount(account_id);
}

const ofUser = {
  list: readAll('/user/tokens', { query }),
  get: (token_id: string) => client.get('/user/tokens/{token_id}', { token_id }),
  create: (body: SentToken) => client.post('/user/tokens', { body }),
  replace: (token_id: string, body: SentToken, version: string | undefined) =>
    client.put('/user/tokens/{token_id}', { token_id, body, version }),
  roll: (token_id: string) => client.put('/user/tokens/{token_id}/value', { token_id }),
  revoke: (token_id: string) => client.delete('/user/tokens/{token_id}', { token_id }),
};

function ofAccount(account_id: string): typeof ofUser {
  const path = '/accounts/{account_id}/tokens/{token_id}';
  return {
    list: readAll('/accounts/{account_id}/tokens', { account_id, query }),
    get: (token_id) => client.get(path, { account_id, token_id }),
    create: (body) => client.post('/accounts/{account_id}/tokens', { account_id, body }),
    replace: (token_id, body, version) => client.put(path, { account_id, token_id, body, version }),
    roll: (token_id) => client.put(`${path}/value`, { account_id, token_id }),
    revoke: (token_id) => client.delete(path, { account_id, token_id }),
  };
}

export const permissionGroupsQuery = read('/user/tokens/permission_groups', { query: { is_served: true } });

export const scopes = [
  { id: 'com.cloudflare.api.account.zone', label: 'Sites' },
  { id: 'com.cloudflare.api.account', label: 'Account' },
  { id: 'com.cloudflare.api.user', label: 'Your user' },
] as const;

export type AccessLevel = 'none' | 'read' | 'write';

/** A resource that can be read, or read and changed: two permission groups whose names differ in their last word. */
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
