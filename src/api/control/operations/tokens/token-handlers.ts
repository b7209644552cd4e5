/**
 * Operations on tokens. A token can create, change and roll other tokens, but must not gain privileges by that: it can
 * grant only permissions that it has, for no longer than its own lifetime and from no other addresses. A user's key has
 * every permission, so it can grant all of them.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  authCodes,
  entryOf,
  fault,
  type GivenToken,
  type Input,
  type InputOf,
  ok,
  pageOf,
  permissionGroups,
  type Reply,
  type Result,
  scopeNames,
  tokenCodes,
  unservedPermissionGroups,
} from '#contract';
import { createToken, hashSecret } from '../../context/secrets.ts';
import { findGrants, findToken } from '../../context/caller.ts';
import type { Context, Handlers } from '../../context/handler.ts';
import { tokenBytesMax, tokensPerOwnerMax } from '../../context/limits.ts';
import { readAddressRanges, isAnyAddress } from '../../context/address-condition.ts';
import { covers } from '../../context/grants.ts';
import { readPolicies, listUnservedNames } from '../../context/policy.ts';
import { getTokenState, type TokenFacts, type TokenOwner } from '../../context/token.ts';
import { toTokenJson, toTokenStatusJson } from './token-json.ts';
import { TokenStore } from '../../stores/tokens.ts';

export const tokenHandlers: Handlers<Context, 'tokens' | 'accountTokens'> = {
  'tokens.list': (context, { query }) => list(context, toUserOwner(context), query),
  'tokens.create': (context, { body }) => create(context, toUserOwner(context), body),
  'tokens.get': (context, { path }) => get(context, toUserOwner(context), path),
  'tokens.update': (context, { path, body }) => update(context, toUserOwner(context), path, body),
  'tokens.delete': (context, { path }) => remove(context, toUserOwner(context), path),
  'tokens.roll': (context, { path }) => roll(context, toUserOwner(context), path),
  'tokens.verify': verify,
  'tokens.listPermissionGroups': (_, { query }) => listGroups(query),
  'accountTokens.list': (context, { path, query }) => list(context, toAccountOwner(path), query),
  'accountTokens.create': (context, { path, body }) => create(context, toAccountOwner(path), body),
  'accountTokens.get': (context, { path }) => get(context, toAccountOwner(path), path),
  'accountTokens.update': (context, { path, body }) => update(context, toAccountOwner(path), path, body),
  'accountTokens.delete': (context, { path }) => remove(context, toAccountOwner(path), path),
  'accountTokens.roll': (context, { path }) => roll(context, toAccountOwner(path), path),
  'accountTokens.verify': verify,
  'accountTokens.listPermissionGroups': (_, { query }) => listGroups(query),
};

type Path = Input['path'];

function toUserOwner({ actor }: Context): TokenOwner {
  return { kind: 'user', id: actor.userId };
}

function toAccountOwner(path: Path): TokenOwner {
  return { kind: 'account', id: path['account_id']! };
}

function list(
  { sql, nowMs, findTokenUse }: Context,
  owner: TokenOwner,
  query: InputOf<'tokens.list'>['query'],
): Reply<Result<'tokens.list'>> {
  const tokens = new TokenStore(sql)
    .listOwnedBy(owner)
    .filter((token) => query.include_expired !== false || getTokenState(token, nowMs) !== 'expired');
  if (query.direction === 'desc') tokens.reverse();
  return pageOf(
    tokens.map((token) => toTokenJson(token, nowMs, findTokenUse(token.id))),
    query,
  );
}

function get(
  { sql, nowMs, findTokenUse }: Context,
  owner: TokenOwner,
  path: Path,
): Reply<Result<'tokens.get'>> {
  const token = requireToken(new TokenStore(sql), owner, path);
  return ok(toTokenJson(token, nowMs, findTokenUse(token.id)));
}

function create(context: Context, owner: TokenOwner, body: GivenToken): Reply<Result<'tokens.create'>> {
  const store = new TokenStore(context.sql);
  const count = store.listOwnedBy(owner).length;
  if (count >= tokensPerOwnerMax) throw fault(tokenCodes.tokensTooMany, { fill: { count } });
  const value = createToken();
  const { nowMs } = context;
  const token: TokenFacts = {
    id: context.newId(),
    hash: hashSecret(value),
    owner,
    email: context.actor.email,
    ...readContent(context, body),
    issuedAtMs: nowMs,
    modifiedAtMs: nowMs,
  };
  checkPower(context, token);
  store.put(token);
  const json = toTokenJson(token, nowMs);
  context.audit({ resource: 'token', id: token.id, before: undefined, after: json });
  return ok({ ...json, value });
}

function update(
  context: Context,
  owner: TokenOwner,
  path: Path,
  body: GivenToken,
): Reply<Result<'tokens.update'>> {
  const store = new TokenStore(context.sql);
  const before = requireToken(store, owner, path);
  const after = { ...before, ...readContent(context, body, before), modifiedAtMs: context.nowMs };
  checkPower(context, after);
  replace(context, store, before, after);
  return ok(toTokenJson(after, context.nowMs, context.findTokenUse(after.id)));
}

/** The answer contains the token's new value, so it must be a token that the caller could have created. */
function roll(context: Context, owner: TokenOwner, path: Path): Reply<Result<'tokens.roll'>> {
  const store = new TokenStore(context.sql);
  const before = requireToken(store, owner, path);
  checkPower(context, before);
  const value = createToken();
  replace(context, store, before, { ...before, hash: hashSecret(value), modifiedAtMs: context.nowMs });
  return ok(value);
}

function replace(context: Context, store: TokenStore, before: TokenFacts, after: TokenFacts): void {
  store.put(after);
  const json = toTokenJson(after, context.nowMs);
  context.audit({ resource: 'token', id: after.id, before: toTokenJson(before, context.nowMs), after: json });
}

function remove(context: Context, owner: TokenOwner, path: Path): Reply<Result<'tokens.delete'>> {
  const store = new TokenStore(context.sql);
  const token = requireToken(store, owner, path);
  store.remove(token.id);
  const before = toTokenJson(token, context.nowMs);
  context.audit({ resource: 'token', id: token.id, before, after: undefined });
  return ok({ id: token.id });
}

/** The holder of an expired token may still ask why it does not work. */
function verify(context: Context): Reply<Result<'tokens.verify'>> {
  const token = findToken(context);
  if (token === undefined) throw fault(authCodes.tokenInvalid);
  if (getTokenState(token, context.nowMs) === 'active') {
    context.addMessage({ code: 10000, message: 'This API Token is valid and active', type: null });
  }
  return ok(toTokenStatusJson(token, context.nowMs));
}

function listGroups(
  query: InputOf<'tokens.listPermissionGroups'>['query'],
): Reply<Result<'tokens.listPermissionGroups'>> {
  const { scope = '', is_served: isServed = false } = query;
  const name = decodeName(query.name ?? '');
  const unserved = isServed ? [] : unservedPermissionGroups.values();
  const all = [...Object.values(permissionGroups), ...unserved].map(({ id, name, scope }) => ({
    id,
    name,
    scopes: [scopeNames[scope]],
  }));
  return ok(
    all.filter(
      (group) => (name === '' || group.name === name) && (scope === '' || group.scopes.includes(scope)),
    ),
  );
}

/**
 * Terraform's provider 5 encodes a name that its users already have to encode. Names of groups contain no percent sign.
 */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function requireToken(store: TokenStore, owner: TokenOwner, path: Path): TokenFacts {
  const token = store.listOwnedBy(owner).find(({ id }) => id === path['token_id']);
  if (token === undefined) throw fault(tokenCodes.tokenNotFound);
  return token;
}

function readContent(context: Context, given: GivenToken, before?: TokenFacts) {
  const { not_before: notBeforeMs = null, expires_on: expiresAtMs = null } = given;
  const isLapsed = expiresAtMs !== null && expiresAtMs <= Math.max(context.nowMs, notBeforeMs ?? 0);
  if (isLapsed) throw fault(tokenCodes.validityInvalid, { pointer: '/expires_on' });
  checkSize(given);
  const policies = readPolicies(given.policies, {
    accountId: context.directory.accountId,
    newId: () => context.newId(),
  });
  const names = listUnservedNames(policies);
  if (names.length > 0)
    context.addMessage(entryOf(tokenCodes.groupsUnserved, { fill: { names: names.join(', ') } }));
  return {
    name: given.name,
    isDisabled: given.status === 'disabled',
    policies,
    addresses: readAddressRanges(given.condition, before?.addresses),
    notBeforeMs,
    expiresAtMs,
  };
}

/** Runs before anything is computed from the body. */
function checkSize({ policies, condition }: GivenToken): void {
  const bytes = Buffer.byteLength(JSON.stringify([policies, condition]));
  if (bytes > tokenBytesMax) throw fault(tokenCodes.tokenTooLarge, { fill: { bytes, max: tokenBytesMax } });
}

function checkPower(context: Context, made: TokenFacts): void {
  if (context.actor.tokenId === undefined) return;
  const maker = findToken(context);
  if (maker === undefined || !covers(findGrants(context), made.policies, context.directory.accountId)) {
    throw createTooPowerful('does not have all of these permissions on all of these resources');
  }
  if (maker.expiresAtMs !== null && (made.expiresAtMs ?? Infinity) > maker.expiresAtMs) {
    throw createTooPowerful('expires earlier: set expires_on no later than its own');
  }
  if (!isAnyAddress(maker.addresses) && !isDeepStrictEqual(made.addresses, maker.addresses)) {
    throw createTooPowerful('is bound to addresses: repeat its condition');
  }
}

function createTooPowerful(reason: string): Error {
  return fault(tokenCodes.tokenTooPowerful, { fill: { reason } });
}
