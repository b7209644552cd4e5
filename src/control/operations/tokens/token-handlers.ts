/**
 * Operations on tokens. A token can make, change and roll other tokens, and must not become more powerful by it: what it
 * gives it has itself, for no longer and from no other addresses. A user's key can do everything, so it can give everything.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  authCodes,
  entryOf,
  fault,
  type GivenToken,
  type Input,
  ok,
  pageOf,
  permissionGroups,
  type Reply,
  scopeNames,
  tokenCodes,
  type tokenOperations,
  unservedPermissionGroups,
} from '#api';
import { newToken, secretHash } from '../../context/secrets.ts';
import { grantsOf, tokenOf } from '../../context/caller.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { tokenBytesMax, tokensPerOwnerMax } from '../../context/limits.ts';
import { addressRangesFrom, isAnyAddress } from '../../context/address-condition.ts';
import { covers } from '../../context/grants.ts';
import { policiesFrom, unservedNamesOf } from '../../context/policy.ts';
import { stateOf, type TokenFacts, type TokenOwner } from '../../context/token.ts';
import { tokenJson, tokenStatusJson } from './token-json.ts';
import { TokenStore } from '../../stores/token-store.ts';

export const tokenHandlers: Handlers<Context, typeof tokenOperations> = {
  'tokens.list': (context, { query }) => list(context, userOf(context), query),
  'tokens.create': (context, { body }) => create(context, userOf(context), body),
  'tokens.get': (context, { path }) => get(context, userOf(context), path),
  'tokens.update': (context, { path, body }) => update(context, userOf(context), path, body),
  'tokens.delete': (context, { path }) => remove(context, userOf(context), path),
  'tokens.roll': (context, { path }) => roll(context, userOf(context), path),
  'tokens.verify': verify,
  'tokens.listPermissionGroups': (_, { query }) => groups(query),
  'accountTokens.list': (context, { path, query }) => list(context, accountOf(path), query),
  'accountTokens.create': (context, { path, body }) => create(context, accountOf(path), body),
  'accountTokens.get': (context, { path }) => get(context, accountOf(path), path),
  'accountTokens.update': (context, { path, body }) => update(context, accountOf(path), path, body),
  'accountTokens.delete': (context, { path }) => remove(context, accountOf(path), path),
  'accountTokens.roll': (context, { path }) => roll(context, accountOf(path), path),
  'accountTokens.verify': verify,
  'accountTokens.listPermissionGroups': (_, { query }) => groups(query),
};

type Path = Input['path'];

function userOf({ actor }: Context): TokenOwner {
  return { kind: 'user', id: actor.userId };
}

function accountOf(path: Path): TokenOwner {
  return { kind: 'account', id: path['account_id']! };
}

function list(
  { sql, nowMs }: Context,
  owner: TokenOwner,
  query: Input<(typeof tokenOperations)['tokens.list']>['query'],
): Reply {
  const tokens = new TokenStore(sql)
    .of(owner)
    .filter((token) => query.include_expired !== false || stateOf(token, nowMs) !== 'expired');
  if (query.direction === 'desc') tokens.reverse();
  return pageOf(
    tokens.map((token) => tokenJson(token, nowMs)),
    query,
  );
}

function get({ sql, nowMs }: Context, owner: TokenOwner, path: Path): Reply {
  return ok(tokenJson(existing(new TokenStore(sql), owner, path), nowMs));
}

function create(context: Context, owner: TokenOwner, body: GivenToken): Reply {
  const store = new TokenStore(context.sql);
  const count = store.of(owner).length;
  if (count >= tokensPerOwnerMax) throw fault(tokenCodes.tokensTooMany, { fill: { count } });
  const value = newToken();
  const { nowMs } = context;
  const token: TokenFacts = {
    id: context.newId(),
    hash: secretHash(value),
    owner,
    email: context.actor.email,
    ...contentFrom(context, body),
    issuedAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
  checkPower(context, token);
  store.put(token);
  const json = tokenJson(token, nowMs);
  context.audit({ resource: 'token', id: token.id, before: undefined, after: json });
  return ok({ ...json, value });
}

function update(context: Context, owner: TokenOwner, path: Path, body: GivenToken): Reply {
  const store = new TokenStore(context.sql);
  const before = existing(store, owner, path);
  const after = { ...before, ...contentFrom(context, body, before), modifiedAtMs: context.nowMs };
  checkPower(context, after);
  return ok(replace(context, store, before, after));
}

/** Whoever rolls a token learns its value, so it must be one they could have made. */
function roll(context: Context, owner: TokenOwner, path: Path): Reply {
  const store = new TokenStore(context.sql);
  const before = existing(store, owner, path);
  checkPower(context, before);
  const value = newToken();
  replace(context, store, before, { ...before, hash: secretHash(value), modifiedAtMs: context.nowMs });
  return ok(value);
}

function replace(context: Context, store: TokenStore, before: TokenFacts, after: TokenFacts): object {
  store.put(after);
  const json = tokenJson(after, context.nowMs);
  context.audit({ resource: 'token', id: after.id, before: tokenJson(before, context.nowMs), after: json });
  return json;
}

function remove(context: Context, owner: TokenOwner, path: Path): Reply {
  const store = new TokenStore(context.sql);
  const token = existing(store, owner, path);
  store.remove(token.id);
  const before = tokenJson(token, context.nowMs);
  context.audit({ resource: 'token', id: token.id, before, after: undefined });
  return ok({ id: token.id });
}

/** Who has a token that lapsed may still ask why it does not work. */
function verify(context: Context): Reply {
  const token = tokenOf(context);
  if (token === undefined) throw fault(authCodes.tokenInvalid);
  if (stateOf(token, context.nowMs) === 'active') {
    context.say({ code: 10000, message: 'This API Token is valid and active', type: null });
  }
  return ok(tokenStatusJson(token, context.nowMs));
}

function groups(query: Input<(typeof tokenOperations)['tokens.listPermissionGroups']>['query']): Reply {
  const all = [...Object.values(permissionGroups), ...unservedPermissionGroups.values()].map(
    ({ id, name, scope }) => ({
      id,
      name,
      scopes: [scopeNames[scope]],
    }),
  );
  const { name = '', scope = '' } = query;
  return ok(
    all.filter(
      (group) => (name === '' || group.name === name) && (scope === '' || group.scopes.includes(scope)),
    ),
  );
}

function existing(store: TokenStore, owner: TokenOwner, path: Path): TokenFacts {
  const token = store.of(owner).find(({ id }) => id === path['token_id']);
  if (token === undefined) throw fault(tokenCodes.tokenNotFound);
  return token;
}

function contentFrom(context: Context, given: GivenToken, before?: TokenFacts) {
  const { not_before: notBeforeMs = null, expires_on: expiresAtMs = null } = given;
  const isLapsed = expiresAtMs !== null && expiresAtMs <= Math.max(context.nowMs, notBeforeMs ?? 0);
  if (isLapsed) throw fault(tokenCodes.validityInvalid, { pointer: '/expires_on' });
  checkSize(given);
  const policies = policiesFrom(given.policies, {
    accountId: context.directory.accountId,
    newId: () => context.newId(),
  });
  const names = unservedNamesOf(policies);
  if (names.length > 0)
    context.say(entryOf(tokenCodes.groupsUnserved, { fill: { names: names.join(', ') } }));
  return {
    name: given.name,
    isDisabled: given.status === 'disabled',
    policies,
    addresses: addressRangesFrom(given.condition, before?.addresses),
    notBeforeMs,
    expiresAtMs,
  };
}

/** Before anything is worked out from it. */
function checkSize({ policies, condition }: GivenToken): void {
  const bytes = Buffer.byteLength(JSON.stringify([policies, condition]));
  if (bytes > tokenBytesMax) throw fault(tokenCodes.tokenTooLarge, { fill: { bytes, max: tokenBytesMax } });
}

function checkPower(context: Context, made: TokenFacts): void {
  if (context.actor.tokenId === undefined) return;
  const maker = tokenOf(context);
  if (maker === undefined || !covers(grantsOf(context), made.policies, context.directory.accountId)) {
    throw tooPowerful('does not have all of these permissions on all of these resources');
  }
  if (maker.expiresAtMs !== null && (made.expiresAtMs ?? Infinity) > maker.expiresAtMs) {
    throw tooPowerful('expires earlier: set expires_on to no later than its own');
  }
  if (!isAnyAddress(maker.addresses) && !isDeepStrictEqual(made.addresses, maker.addresses)) {
    throw tooPowerful('is bound to addresses: repeat its condition');
  }
}

function tooPowerful(reason: string): Error {
  return fault(tokenCodes.tokenTooPowerful, { fill: { reason } });
}
