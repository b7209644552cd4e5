/** Tokens as answers show them; the value is never among it. */
import { toSeconds } from '../../context/timestamps.ts';
import { conditionJson, isAnyAddress } from '../../context/address-condition.ts';
import { policyJson } from '../../context/policy.ts';
import { stateOf, type TokenFacts } from '../../context/token.ts';

export function tokenJson(token: TokenFacts, nowMs: number): object {
  return {
    id: token.id,
    name: token.name,
    status: statusOf(token, nowMs),
    issued_on: toSeconds(token.issuedAtMs),
    modified_on: toSeconds(token.modifiedAtMs),
    ...validityJson(token),
    ...(token.owner.kind === 'account' ? { creator_email_at_creation: token.email } : {}),
    policies: token.policies.map(policyJson),
    ...(isAnyAddress(token.addresses) ? {} : { condition: conditionJson(token.addresses) }),
  };
}

/** What a verification tells of the token it was made with. */
export function tokenStatusJson(token: TokenFacts, nowMs: number): object {
  return { id: token.id, status: statusOf(token, nowMs), ...validityJson(token) };
}

/** The original has no word for a token whose time has not come: `not_before` tells. */
function statusOf(token: TokenFacts, nowMs: number): string {
  const state = stateOf(token, nowMs);
  return state === 'early' ? 'active' : state;
}

function validityJson({ notBeforeMs, expiresAtMs }: TokenFacts): object {
  return {
    ...(notBeforeMs === null ? {} : { not_before: toSeconds(notBeforeMs) }),
    ...(expiresAtMs === null ? {} : { expires_on: toSeconds(expiresAtMs) }),
  };
}
