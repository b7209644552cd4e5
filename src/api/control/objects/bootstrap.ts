/** The first start creates an account, its owner, a token with every permission, and a zone for each plan. */
import { assert } from '#base';
import { type Plan, plans } from '#rulesets';
import { type Permission, permissionGroups, scopeNames } from '#contract';
import type { ZoneFacts } from '../context/directory.ts';
import type { Context } from '../context/handler.ts';
import { anyAddress } from '../context/address-condition.ts';
import type { TokenFacts } from '../context/token.ts';
import { toTokenJson } from '../operations/tokens/token-json.ts';
import { ListUseStore } from '../stores/lists/list-uses.ts';
import { TokenStore } from '../stores/tokens.ts';
import { toZoneRecord } from '../operations/zones/zone-json.ts';
import { ZoneStore } from '../stores/zones.ts';
import { createKey, createToken, hashSecret } from '../context/secrets.ts';
import { accountTable } from '../stores/accounts.ts';
import { userTable } from '../stores/user.ts';

const ownerTokenName = 'Owner';

export interface BootstrapOptions {
  readonly accountName: string;
  readonly email: string;
}

/** The result of the bootstrap. The secrets are not stored, so only its receiver knows them. */
export interface BootstrappedAccount {
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
  /** A token with every permission. */
  readonly token: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: Plan }[];
}

export function bootstrapAccount(
  context: Context,
  { accountName, email }: BootstrapOptions,
): BootstrappedAccount {
  const { sql, nowMs } = context;
  const accountId = context.newId();
  accountTable.insert(sql, { id: accountId, name: accountName, createdAtMs: nowMs, revision: 1 });
  context.audit({ resource: 'account', id: accountId, before: undefined, after: { name: accountName } });
  new ListUseStore(sql).complete();
  const key = createKey();
  const userId = context.newId();
  userTable.insert(sql, { id: userId, email, keyHash: hashSecret(key) });
  context.audit({ resource: 'user', id: userId, before: undefined, after: { email } });
  const token = createToken();
  addOwnerToken(context, { value: token, accountId, userId, email });
  const zones = plans.map((plan) => addZone(context, plan, accountId));
  return { accountId, email, key, token, zones: zones.map(({ id, name, plan }) => ({ id, name, plan })) };
}

/** For an owner who has lost their credentials: replaces the key and the token of the first start. */
export function renewOwner(context: Context): Pick<BootstrappedAccount, 'email' | 'key' | 'token'> {
  const [owner] = userTable.list(context.sql);
  assert(owner !== undefined, 'a bootstrapped account has an owner');
  const { id: userId, email } = owner;
  const [key, token] = [createKey(), createToken()];
  userTable.update(context.sql, { ...owner, keyHash: hashSecret(key) });
  context.audit({ resource: 'user', id: userId, before: { email }, after: { email, key: 'renewed' } });
  const tokens = new TokenStore(context.sql);
  const before = tokens.listOwnedBy({ kind: 'user', id: userId }).find(({ name }) => name === ownerTokenName);
  if (before !== undefined) {
    tokens.remove(before.id);
    const gone = toTokenJson(before, context.nowMs);
    context.audit({ resource: 'token', id: before.id, before: gone, after: undefined });
  }
  addOwnerToken(context, { value: token, accountId: context.directory.accountId, userId, email });
  return { email, key, token };
}

function addZone(context: Context, plan: Plan, accountId: string): ZoneFacts {
  const zone: ZoneFacts = {
    id: context.newId(),
    name: `${plan}.example`,
    plan,
    accountId,
    isPaused: false,
    type: 'full',
    vanityNameServers: [],
    createdAtMs: context.nowMs,
    modifiedAtMs: context.nowMs,
  };
  new ZoneStore(context.sql).put(zone);
  context.audit({ resource: 'zone', id: zone.id, before: undefined, after: toZoneRecord(zone) });
  return zone;
}

interface OwnerToken {
  readonly value: string;
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
}

function addOwnerToken(context: Context, { value, accountId, userId, email }: OwnerToken): void {
  const token: TokenFacts = {
    id: context.newId(),
    hash: hashSecret(value),
    name: ownerTokenName,
    owner: { kind: 'user', id: userId },
    email,
    isDisabled: false,
    policies: [
      {
        id: context.newId(),
        effect: 'allow',
        permissions: Object.keys(permissionGroups) as Permission[],
        resources: {
          [`${scopeNames.zone}.*`]: '*',
          [`${scopeNames.account}.${accountId}`]: '*',
          [`${scopeNames.user}.${userId}`]: '*',
        },
      },
    ],
    addresses: anyAddress,
    notBeforeMs: null,
    expiresAtMs: null,
    issuedAtMs: context.nowMs,
    modifiedAtMs: context.nowMs,
  };
  new TokenStore(context.sql).put(token);
  const after = toTokenJson(token, context.nowMs);
  context.audit({ resource: 'token', id: token.id, before: undefined, after });
}
