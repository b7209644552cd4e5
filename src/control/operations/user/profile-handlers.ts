/** Who calls, and which accounts there are for them: what tools ask first. */
import { assert } from '#base';
import { type accountOperations, ok, pageOf, type userOperations } from '#api';
import type { AccountFacts } from '../../context/directory.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { toMicroseconds } from '../../context/timestamps.ts';
import { derivedId } from '../../context/secrets.ts';
import { UserStore } from '../../stores/user-store.ts';

export const profileHandlers: Handlers<Context, typeof userOperations & typeof accountOperations> = {
  'user.get'(context) {
    const { directory, actor } = context;
    const user = new UserStore(context.sql).all().find(({ id }) => id === actor.userId);
    assert(user !== undefined, `somebody who is no user was let in: ${actor.userId}`);
    const plansInUse = new Set(directory.data.zones.map(({ plan }) => plan));
    const { id, name } = accountOf(context);
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
    const account = accountOf(context);
    const membership = {
      id: derivedId(account.id, context.actor.userId),
      status: 'accepted',
      account: accountJson(account),
      roles: [role],
      api_access_enabled: true,
      permissions: membershipPermissions,
    };
    return pageOf(isNamed(account, query['account.name']) ? [membership] : [], query);
  },

  'accounts.list'(context, { query }) {
    const account = accountOf(context);
    return pageOf(isNamed(account, query.name) ? [accountJson(account)] : [], query);
  },

  'accounts.get'(context) {
    return ok(accountJson(accountOf(context)));
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

function accountOf({ directory }: Context): AccountFacts {
  const { account } = directory.data;
  assert(account !== undefined, 'an operation before the account was founded');
  return account;
}

function isNamed(account: AccountFacts, name: string | undefined): boolean {
  return name === undefined || name === '' || account.name === name;
}

function accountJson({ id, name, createdAtMs }: AccountFacts): object {
  return {
    id,
    name,
    type: 'standard',
    settings: { enforce_twofactor: false },
    created_on: toMicroseconds(createdAtMs),
  };
}
