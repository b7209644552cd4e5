/** Who the caller is, and which accounts they have: what tools ask first. */
import { assert } from '#base';
import { ok, pageOf, type Result } from '#contract';
import type { AccountFacts } from '../../context/directory.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { deriveId } from '../../context/secrets.ts';
import { userTable } from '../../stores/user-store.ts';

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
};

const role = 'Super Administrator - All Privileges';
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
