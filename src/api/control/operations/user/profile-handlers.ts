/** The caller and their accounts: the first calls of most tools. */
import { assert } from '#base';
import { authCodes, fault, ok, pageOf, type Result } from '#contract';
import type { AccountFacts } from '../../context/directory.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { deriveId } from '../../context/secrets.ts';
import { userTable } from '../../stores/user.ts';

const role = 'Super Administrator - All Privileges';

export const profileHandlers: Handlers<Context, 'user' | 'memberships' | 'accounts'> = {
  'user.get'(context) {
    const { directory, actor } = context;
    const user = userTable.get(context.sql, actor.userId);
    assert(user !== undefined, `an authenticated caller is not a known user: ${actor.userId}`);
    const { plansInUse } = directory;
    const { id, name } = requireAccount(context);
    return ok({
      id: user.id,
      email: user.email,
      first_name: null,
      last_name: null,
      telephone: null,
      country: null,
      zipcode: null,
      two_factor_authentication_enabled: false,
      two_factor_authentication_locked: false,
      has_pro_zones: plansInUse.has('pro'),
      has_business_zones: plansInUse.has('business'),
      has_enterprise_zones: plansInUse.has('enterprise'),
      suspended: false,
      betas: [],
      organizations: [{ id, name, status: 'member', permissions: [], roles: [role] }],
    });
  },

  'memberships.list'(context, { query }) {
    const account = requireAccount(context);
    const membership = {
      id: deriveId(account.id, context.actor.userId),
      status: 'accepted' as const,
      account: toAccountJson(account),
      roles: [role],
      api_access_enabled: true,
      permissions: membershipPermissions,
    };
    return pageOf(isNamed(account, query['account.name']) ? [membership] : [], query);
  },

  'accounts.list'(context, { query }) {
    const account = requireAccount(context);
    return pageOf(isNamed(account, query.name) ? [toAccountJson(account)] : [], query);
  },

  'accounts.get'(context) {
    return ok(toAccountJson(requireAccount(context)));
  },

  'accounts.listMembers': (context, { query }) => pageOf(listMembers(context), query),

  'accounts.getMember'(context, { path }) {
    const id = path['member_id']!;
    const found = listMembers(context).find((member) => member.id === id);
    if (found === undefined) throw fault(authCodes.memberNotFound, { fill: { what: 'member', id } });
    return ok(found);
  },

  'accounts.listRoles': (context, { query }) => pageOf([describeRole(context)], query),

  'accounts.getRole'(context, { path }) {
    const only = describeRole(context);
    const id = path['role_id']!;
    if (only.id !== id) throw fault(authCodes.memberNotFound, { fill: { what: 'role', id } });
    return ok(only);
  },
};

function listMembers(context: Pick<Context, 'sql' | 'directory'>): Result<'accounts.listMembers'> {
  const account = requireAccount(context);
  return userTable.list(context.sql).map(({ id, email }) => ({
    id: deriveId(account.id, id),
    status: 'accepted',
    email,
    user: { id, email, first_name: null, last_name: null, two_factor_authentication_enabled: false },
    roles: [describeRole(context)],
    policies: [],
  }));
}

function describeRole(context: Pick<Context, 'directory'>): Result<'accounts.getRole'> {
  return {
    id: deriveId(requireAccount(context).id, role),
    name: role,
    description: 'Can edit any setting, make purchases, update billing, and manage memberships',
    permissions: rolePermissions,
  };
}

const everything = { read: true, edit: true };
const rolePermissions = {
  analytics: { read: true, edit: false },
  organization: everything,
  waf: everything,
  zone_settings: everything,
  zones: everything,
};

const both = { read: true, write: true };
const membershipPermissions = {
  analytics: { read: true, write: false },
  organization: both,
  waf: both,
  zone_settings: both,
  zones: both,
};

function requireAccount({ directory }: Pick<Context, 'directory'>): AccountFacts {
  const { account } = directory;
  assert(account !== undefined, 'an operation ran before the account was bootstrapped');
  return account;
}

function isNamed(account: AccountFacts, name: string | undefined): boolean {
  return name === undefined || name === '' || account.name === name;
}

function toAccountJson({ id, name, createdAtMs }: AccountFacts): Result<'accounts.get'> {
  return {
    id,
    name,
    type: 'standard',
    settings: { enforce_twofactor: false },
    created_on: toMicroseconds(createdAtMs),
  };
}
