/**
 * Who is calling: from the headers of a request to a user or a token, or to the reason why not. There are two schemes, a token
 * in `Authorization` and the pair `X-Auth-Email` and `X-Auth-Key`; a client may send both, and one that is valid is enough. A
 * credential header that is malformed or there twice is refused whatever else there is: two readers of such a
 * request could see different callers.
 */
import { timingSafeEqual } from 'node:crypto';
import { type ApiRequest, authCodes, type Code, Fault, fault } from '#api';
import { secretHash } from '../context/secrets.ts';
import type { Directory, UserFacts } from '../context/directory.ts';
import type { Actor } from '../context/handler.ts';
import { allGrants, type Grants } from '../context/grants.ts';
import { stateOf, type Token } from '../context/token.ts';

export interface Caller {
  readonly actor: Actor;
  readonly grants: Grants;
  /** Whose calls are counted together: the user's, with whatever credentials, or the account's. */
  readonly countedAs: string;
}

export interface Authentication {
  readonly request: Pick<ApiRequest, 'headers' | 'address'>;
  readonly nowMs: number;
  /** The caller asks about the token itself: one that lapsed will do, and a key will not. */
  readonly isVerification: boolean;
}

type Headers = ApiRequest['headers'];

export function authenticate(directory: Directory, authentication: Authentication): Caller {
  const { headers, address } = authentication.request;
  const value = bearerOf(headers);
  const pair = pairOf(headers);
  const byToken = value === undefined ? undefined : tokenCaller(directory, value, authentication);
  if (authentication.isVerification) return known(byToken ?? fault(authCodes.tokenInvalid));
  const user = pair && userOf(directory, pair);
  if (byToken === undefined) {
    if (pair === undefined) throw fault(authCodes.credentialsMissing);
    return known(user === undefined ? fault(authCodes.keyUnknown) : keyCaller(user, address));
  }
  if (user === undefined) return known(byToken);
  if (byToken instanceof Fault) return keyCaller(user, address);
  const { userId } = byToken.actor;
  if (userId !== '' && userId !== user.id) throw malformed(authCodes.credentialsConflicting);
  return byToken;
}

function known(outcome: Caller | Fault): Caller {
  if (outcome instanceof Fault) throw outcome;
  return outcome;
}

function tokenCaller(
  directory: Directory,
  value: string,
  { request: { address }, nowMs, isVerification }: Authentication,
): Caller | Fault {
  const token = directory.tokensByHash.get(secretHash(value));
  if (token === undefined) return fault(isVerification ? authCodes.tokenInvalid : authCodes.tokenUnknown);
  if (!token.isUsableFrom(address)) return fault(authCodes.addressRefused, { fill: { address } });
  if (!isVerification && stateOf(token.facts, nowMs) !== 'active') return fault(authCodes.tokenUnknown);
  return { actor: actorOf(token, address), grants: token.grants, countedAs: token.facts.owner.id };
}

function actorOf({ facts }: Token, address: string): Actor {
  const { id, owner, email } = facts;
  return { kind: 'token', userId: owner.kind === 'user' ? owner.id : '', email, tokenId: id, address };
}

function keyCaller({ id, email }: UserFacts, address: string): Caller {
  return { actor: { kind: 'key', userId: id, email, address }, grants: allGrants, countedAs: id };
}

interface Pair {
  readonly email: string;
  readonly key: string;
}

function userOf(directory: Directory, { email, key }: Pair): UserFacts | undefined {
  const user = directory.usersByEmail.get(email.toLowerCase());
  const hash = Buffer.from(secretHash(key));
  return user !== undefined && timingSafeEqual(hash, Buffer.from(user.keyHash)) ? user : undefined;
}

const bearer = /^Bearer ([A-Za-z0-9_~.+/-]{1,256}=*)$/i;
const emailAddress = /^[^\s@,]{1,64}@[^\s@,]{1,190}$/;
const userKey = /^[0-9a-f]{32,45}$/i;

function bearerOf(headers: Headers): string | undefined {
  const header = headers['authorization'];
  if (header === undefined) return undefined;
  const [, value] = (typeof header === 'string' && bearer.exec(header)) || [];
  if (value === undefined) throw malformed(authCodes.authorizationMalformed);
  return value;
}

function pairOf(headers: Headers): Pair | undefined {
  const { 'x-auth-email': email, 'x-auth-key': key } = headers;
  if (email === undefined && key === undefined) return undefined;
  if (email !== undefined && !isLike(email, emailAddress)) throw malformed(authCodes.emailMalformed);
  if (key !== undefined && !isLike(key, userKey)) throw malformed(authCodes.keyMalformed);
  if (email === undefined) throw fault(authCodes.emailMissing);
  if (key === undefined) throw fault(authCodes.keyMissing);
  return { email, key };
}

function isLike(header: string | readonly string[], pattern: RegExp): header is string {
  return typeof header === 'string' && pattern.test(header);
}

function malformed(reason: Code): Fault {
  return fault(authCodes.headersInvalid, { chain: [reason] });
}
