/**
 * Identifies the caller: from the headers of a request to a user or a token, or to a fault. There are two schemes, a
 * token in `Authorization`, and the pair `X-Auth-Email` and `X-Auth-Key`. A client may send both, and one valid
 * credential is enough. A request with neither can have the cookie of a dashboard session, which represents one of
 * them. A malformed or repeated credential header is refused whatever else the request contains: two parsers of such a
 * request could see different callers.
 */
import { timingSafeEqual } from 'node:crypto';
import { assert } from '#base';
import {
  type ApiRequest,
  authCodes,
  type Code,
  csrfHeader,
  Fault,
  fault,
  isCsrfToken,
  type Sessions,
} from '#contract';
import { hashSecret } from '../context/secrets.ts';
import type { Directory, UserFacts } from '../context/directory.ts';
import type { Actor } from '../context/handler.ts';
import { allGrants, type Grants } from '../context/grants.ts';
import { getTokenState, type Token } from '../context/token.ts';
import type { SessionSubject } from '../sessions/session-object.ts';

export interface Caller {
  readonly actor: Actor;
  readonly grants: Grants;
  /** The key for rate limits: the user, whatever the credentials, or the account. */
  readonly countedAs: string;
}

export interface Authentication {
  readonly request: Pick<ApiRequest, 'headers' | 'address'>;
  readonly nowMs: number;
  /** Set for operations about the token itself: they accept an expired token, and do not accept a key. */
  readonly isVerification: boolean;
  /**
   * How a token that does not work is refused. There are two ways because Cloudflare has two, and clients act on each.
   */
  readonly refusal?: TokenRefusal | undefined;
  /** Without sessions, cookies are ignored. */
  readonly sessions?: Sessions<SessionSubject> | undefined;
}

/** `authentication`: 10000, which makes Wrangler explain the token. `token`: 9109, which it ignores. */
export type TokenRefusal = 'authentication' | 'token';

type Headers = ApiRequest['headers'];

/** The paths that Wrangler calls: those of accounts, including the list of accounts. */
const accountPath = /^\/(?:accounts|memberships)(?:\/|$)|^\/zones\/[^/]*\/workers(?:\/|$)/;

/** @param path A path after the API's prefix, served or not. */
export function refusalOn(path: string): TokenRefusal {
  return accountPath.test(path) ? 'authentication' : 'token';
}

export function authenticate(directory: Directory, authentication: Authentication): Caller {
  const { headers, address } = authentication.request;
  const value = readBearer(headers);
  const pair = readPair(headers);
  const byToken = value === undefined ? undefined : identifyToken(directory, value, authentication);
  if (authentication.isVerification) return throwIfFault(byToken ?? fault(authCodes.tokenInvalid));
  const user = pair && findUser(directory, pair);
  if (byToken === undefined) {
    if (pair === undefined) {
      return identifySession(directory, authentication) ?? throwIfFault(fault(authCodes.credentialsMissing));
    }
    return throwIfFault(user === undefined ? fault(authCodes.keyUnknown) : toKeyCaller(user, address));
  }
  if (user === undefined) return throwIfFault(byToken);
  if (byToken instanceof Fault) return toKeyCaller(user, address);
  const { userId } = byToken.actor;
  if (userId !== '' && userId !== user.id) throw createMalformed(authCodes.credentialsConflicting);
  return byToken;
}

function throwIfFault(outcome: Caller | Fault): Caller {
  if (outcome instanceof Fault) throw outcome;
  return outcome;
}

function identifyToken(
  directory: Directory,
  value: string,
  { request: { address }, nowMs, isVerification, refusal = 'token' }: Authentication,
): Caller | Fault {
  const token = directory.tokensByHash.get(hashSecret(value));
  if (token === undefined) return isVerification ? fault(authCodes.tokenInvalid) : refuseToken(refusal);
  return toTokenCaller(token, { address, nowMs, isVerification, refusal });
}

function refuseToken(refusal: TokenRefusal): Fault {
  if (refusal === 'token') return fault(authCodes.tokenUnknown);
  return fault(authCodes.notPermitted, { chain: [authCodes.tokenUnknown] });
}

function toTokenCaller(
  token: Token,
  {
    address,
    nowMs,
    isVerification,
    refusal,
  }: { address: string; nowMs: number; isVerification: boolean; refusal: TokenRefusal },
): Caller | Fault {
  if (!token.isUsableFrom(address)) return fault(authCodes.addressRefused, { fill: { address } });
  if (!isVerification && getTokenState(token.facts, nowMs) !== 'active') return refuseToken(refusal);
  return { actor: toActor(token, address), grants: token.grants, countedAs: token.facts.owner.id };
}

/** The caller that a session cookie represents; undefined without such a cookie. */
function identifySession(
  directory: Directory,
  { request: { headers, address }, nowMs, sessions }: Authentication,
): Caller | undefined {
  if (sessions === undefined || !sessions.hasCookie(headers)) return undefined;
  const session = sessions.find(headers, nowMs);
  if (session === undefined) throw fault(authCodes.sessionEnded);
  if (!isCsrfToken(headers[csrfHeader], session.csrfToken)) throw fault(authCodes.csrfTokenMissing);
  const { subject } = session;
  if (subject.kind === 'token') {
    const token = directory.tokens.get(subject.tokenId);
    const caller = token && toTokenCaller(token, { address, nowMs, isVerification: false, refusal: 'token' });
    if (caller === undefined || caller instanceof Fault) throw caller ?? fault(authCodes.sessionEnded);
    return caller;
  }
  const user = findOwner(directory, subject);
  if (user === undefined) throw fault(authCodes.sessionEnded);
  return toKeyCaller(user, address);
}

/** Whether the credential that a session represents is still valid. */
export function isInForce(directory: Directory, subject: SessionSubject, nowMs: number): boolean {
  if (subject.kind === 'key') return findOwner(directory, subject) !== undefined;
  const token = directory.tokens.get(subject.tokenId);
  return token !== undefined && getTokenState(token.facts, nowMs) === 'active';
}

function findOwner(
  directory: Directory,
  { userId, keyHash }: SessionSubject & { readonly kind: 'key' },
): UserFacts | undefined {
  return directory.users.find((user) => user.id === userId && user.keyHash === keyHash);
}

/** The credential that a session of this caller represents. */
export function toSubject(directory: Directory, { actor }: Caller): SessionSubject {
  if (actor.tokenId !== undefined) return { kind: 'token', tokenId: actor.tokenId };
  const user = directory.users.find(({ id }) => id === actor.userId);
  assert(user !== undefined, 'a caller with a key is a user');
  return { kind: 'key', userId: user.id, keyHash: user.keyHash };
}

function toActor({ facts }: Token, address: string): Actor {
  const { id, owner, email } = facts;
  return { kind: 'token', userId: owner.kind === 'user' ? owner.id : '', email, tokenId: id, address };
}

function toKeyCaller({ id, email }: UserFacts, address: string): Caller {
  return { actor: { kind: 'key', userId: id, email, address }, grants: allGrants, countedAs: id };
}

interface Pair {
  readonly email: string;
  readonly key: string;
}

function findUser(directory: Directory, { email, key }: Pair): UserFacts | undefined {
  const user = directory.usersByEmail.get(email.toLowerCase());
  const hash = Buffer.from(hashSecret(key));
  return user !== undefined && timingSafeEqual(hash, Buffer.from(user.keyHash)) ? user : undefined;
}

const bearer = /^Bearer ([A-Za-z0-9_~.+/-]{1,256}=*)$/i;
const emailAddress = /^[^\s@,]{1,64}@[^\s@,]{1,190}$/;
const userKey = /^[0-9a-f]{32,45}$/i;

function readBearer(headers: Headers): string | undefined {
  const header = headers['authorization'];
  if (header === undefined) return undefined;
  const [, value] = (typeof header === 'string' && bearer.exec(header)) || [];
  if (value === undefined) throw createMalformed(authCodes.authorizationMalformed);
  return value;
}

function readPair(headers: Headers): Pair | undefined {
  const { 'x-auth-email': email, 'x-auth-key': key } = headers;
  if (email === undefined && key === undefined) return undefined;
  if (email !== undefined && !isLike(email, emailAddress)) throw createMalformed(authCodes.emailMalformed);
  if (key !== undefined && !isLike(key, userKey)) throw createMalformed(authCodes.keyMalformed);
  if (email === undefined) throw fault(authCodes.emailMissing);
  if (key === undefined) throw fault(authCodes.keyMissing);
  return { email, key };
}

function isLike(header: string | readonly string[], pattern: RegExp): header is string {
  return typeof header === 'string' && pattern.test(header);
}

function createMalformed(reason: Code): Fault {
  return fault(authCodes.headersInvalid, { chain: [reason] });
}
