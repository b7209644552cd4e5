/** Tokens as responses show them, always without the value. */
import type { Result } from '#contract';
import { toSeconds } from '../../context/timestamps.ts';
import { toConditionJson, isAnyAddress } from '../../context/address-condition.ts';
import { toPolicyJson } from '../../context/policy.ts';
import { getTokenState, type TokenFacts } from '../../context/token.ts';

export function toTokenJson(token: TokenFacts, nowMs: number, usedAtMs?: number): Result<'tokens.get'> {
  return {
    id: token.id,
    name: token.name,
    status: toStatus(token, nowMs),
    issued_on: toSeconds(token.issuedAtMs),
    modified_on: toSeconds(token.modifiedAtMs),
    ...(usedAtMs === undefined ? {} : { last_used_on: toSeconds(usedAtMs) }),
    ...toValidityJson(token),
    ...(token.owner.kind === 'account' ? { creator_email_at_creation: token.email } : {}),
    policies: token.policies.map(toPolicyJson),
    ...(isAnyAddress(token.addresses) ? {} : { condition: toConditionJson(token.addresses) }),
  };
}

/** The result of verifying the token that made the call. */
export function toTokenStatusJson(token: TokenFacts, nowMs: number): Result<'tokens.verify'> {
  return { id: token.id, status: toStatus(token, nowMs), ...toValidityJson(token) };
}

/** Cloudflare has no status for a token that is not valid yet; `not_before` shows it. */
function toStatus(token: TokenFacts, nowMs: number): Result<'tokens.get'>['status'] {
  const state = getTokenState(token, nowMs);
  return state === 'early' ? 'active' : state;
}

function toValidityJson({
  notBeforeMs,
  expiresAtMs,
}: TokenFacts): Pick<Result<'tokens.get'>, 'not_before' | 'expires_on'> {
  return {
    ...(notBeforeMs === null ? {} : { not_before: toSeconds(notBeforeMs) }),
    ...(expiresAtMs === null ? {} : { expires_on: toSeconds(expiresAtMs) }),
  };
}
