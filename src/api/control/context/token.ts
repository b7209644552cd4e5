/** A token: its stored facts and its grants. Only the hash of its value is stored. */
import { AddressCondition, type AddressRanges } from './address-condition.ts';
import { type Grants, PolicyGrants } from './grants.ts';
import type { Policy } from './policy.ts';

export interface TokenOwner {
  readonly kind: 'user' | 'account';
  readonly id: string;
}

/** A token as plain data. */
export interface TokenFacts {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly owner: TokenOwner;
  /** The email address of the user who created it. */
  readonly email: string;
  readonly isDisabled: boolean;
  readonly policies: readonly Policy[];
  readonly addresses: AddressRanges;
  readonly notBeforeMs: number | null;
  readonly expiresAtMs: number | null;
  readonly issuedAtMs: number;
  readonly modifiedAtMs: number;
}

export type TokenState = 'active' | 'disabled' | 'expired' | 'early';

export function getTokenState(token: TokenFacts, nowMs: number): TokenState {
  if (token.isDisabled) return 'disabled';
  if (token.expiresAtMs !== null && token.expiresAtMs <= nowMs) return 'expired';
  return token.notBeforeMs !== null && nowMs < token.notBeforeMs ? 'early' : 'active';
}

/** A token in the directory. Its grants are computed from its policies on first use. */
export class Token {
  readonly facts: TokenFacts;
  readonly #accountId: string;
  #grants: Grants | undefined;
  #condition: AddressCondition | undefined;

  constructor(facts: TokenFacts, accountId: string) {
    this.facts = facts;
    this.#accountId = accountId;
  }

  get grants(): Grants {
    return (this.#grants ??= new PolicyGrants(this.facts.policies, this.#accountId));
  }

  isUsableFrom(address: string): boolean {
    return (this.#condition ??= new AddressCondition(this.facts.addresses)).allows(address);
  }
}
