/** The first start: an account, its owner, a token that may do everything, and a zone for each plan to try things on. */
import { assert } from '#base';
import { type Plan, plans } from '#expressions';
import { type Permission, permissionGroups, scopeNames } from '#api';
import type { ZoneFacts } from '../context/directory.ts';
import type { Context } from '../context/handler.ts';
import { anyAddress } from '../context/address-condition.ts';
import type { TokenFacts } from '../context/token.ts';
import { tokenJson } from '../operations/tokens/token-json.ts';
import { TokenStore } from '../stores/token-store.ts';
import { zoneRecord } from '../operations/zones/zone-json.ts';
import { ZoneStore } from '../stores/zone-store.ts';
import { newKey, newToken, secretHash } from '../context/secrets.ts';
import { UserStore } from '../stores/user-store.ts';

const ownerTokenName = 'Owner';

export interface Founding {
  readonly accountName: string;
  readonly email: string;
}

/** Known to nobody but whoever founded the account: the secrets are not kept. */
export interface Founded {
  readonly accountId: string;
  readonly email: string;
  readonly key: string;
  /** With every permission. */
  readonly token: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: Plan }[];
}

export function foundAccount(context: Context, { accountName, email }: Founding): Founded {
  const { sql, nowMs } = context;
  const accountId = context.newId();
  sql.exec('INSERT INTO account VALUES (1, ?, ?, ?, 1)', accountId, accountName, nowMs);
  context.audit({ resource: 'account', id: accountId, before: undefined, after: { name: accountName } });
  const key = newKey();
  const userId = context.newId();
  new UserStore(sql).add({ id: userId, email, keyHash: secretHash(key) });
  context.audit({ resource: 'user', id: userId, before: undefined, after: { email } });
  const token = newToken();
  addOwnerToken(context, { value: token, accountId, userId, email });
  const zones = plans.map((plan) => addZone(context, plan, accountId));
  return { accountId, email, key, token, zones: zones.map(({ id, name, plan }) => ({ id, name, plan })) };
}

/** For an owner who has lost everything: a key and a token in place of those that the first start gave. */
export function renewOwner(context: Context): Pick<Founded, 'email' | 'key' | 'token'> {
  const users = new UserStore(context.sql);
  const [owner] = users.all();
  assert(owner !== undefined, 'an account that was founded has an owner');
  const { id: userId, email } = owner;
  const [key, token] = [newKey(), newToken()];
  users.setKeyHash(userId, secretHash(key));
  context.audit({ resource: 'user', id: userId, before: { email }, after: { email, key: 'renewed' } });
  const tokens = new TokenStore(context.sql);
  const before = tokens.of({ kind: 'user', id: userId }).find(({ name }) => name === ownerTokenName);
  if (before !== undefined) {
    tokens.remove(before.id);
    const gone = tokenJson(before, context.nowMs);
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
  context.audit({ resource: 'zone', id: zone.id, before: undefined, after: zoneRecord(zone) });
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
    hash: secretHash(value),
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
  const after = tokenJson(token, context.nowMs);
  context.audit({ resource: 'token', id: token.id, before: undefined, after });
}
