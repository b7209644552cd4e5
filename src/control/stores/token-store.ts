/** Tokens as rows of the account's database. */
import type { AddressRanges } from '../context/address-condition.ts';
import type { Policy } from '../context/policy.ts';
import type { TokenFacts, TokenOwner } from '../context/token.ts';
import type { Sql } from '../context/tables/sql.ts';
import { flag, json, nullable, type RowOf, Table, text, whole } from '../context/tables/table.ts';

const table = new Table('tokens', {
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
});

export const tokenTables = [table.creation];

export class TokenStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): TokenFacts | undefined {
    const row = table.get(this.#sql, id);
    return row && toToken(row);
  }

  listAll(): TokenFacts[] {
    return table.select(this.#sql, 'ORDER BY issued_ms, id').map(toToken);
  }

  listOwnedBy({ kind, id }: TokenOwner): TokenFacts[] {
    return this.listAll().filter(({ owner }) => owner.kind === kind && owner.id === id);
  }

  /** Adds or replaces a token. */
  put({ owner, ...token }: TokenFacts): void {
    table.put(this.#sql, { ...token, ownerKind: owner.kind, ownerId: owner.id });
  }

  remove(id: string): void {
    table.remove(this.#sql, id);
  }
}

function toToken({ ownerKind, ownerId, ...token }: RowOf<typeof table>): TokenFacts {
  return { ...token, owner: { kind: ownerKind, id: ownerId } };
}
