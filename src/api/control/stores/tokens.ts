/** Tokens as rows of the account's database. */
import type { AddressRanges } from '../context/address-condition.ts';
import type { Policy } from '../context/policy.ts';
import type { TokenFacts, TokenOwner } from '../context/token.ts';
import { flag, json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export const tokenTable = new Table('tokens', {
  columns: {
    id: text(),
    hash: text({ isUnique: true }),
    name: text(),
    ownerKind: text<TokenOwner['kind']>(),
    ownerId: text(),
    email: text(),
    isDisabled: flag(),
    policies: json<readonly Policy[]>(),
    addresses: json<AddressRanges>(),
    notBeforeMs: nullable(whole()),
    expiresAtMs: nullable(whole()),
    issuedAtMs: whole(),
    modifiedAtMs: whole(),
  },
  order: 'issued_ms, id',
});

export class TokenStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): TokenFacts | undefined {
    const row = tokenTable.get(this.#sql, id);
    return row && toToken(row);
  }

  listAll(): TokenFacts[] {
    return tokenTable.list(this.#sql).map(toToken);
  }

  listOwnedBy({ kind, id }: TokenOwner): TokenFacts[] {
    return this.listAll().filter(({ owner }) => owner.kind === kind && owner.id === id);
  }

  /** Adds or replaces a token. */
  put({ owner, ...token }: TokenFacts): void {
    tokenTable.put(this.#sql, { ...token, ownerKind: owner.kind, ownerId: owner.id });
  }

  remove(id: string): void {
    tokenTable.remove(this.#sql, id);
  }
}

function toToken({ ownerKind, ownerId, ...token }: RowOf<typeof tokenTable>): TokenFacts {
  return { ...token, owner: { kind: ownerKind, id: ownerId } };
}
