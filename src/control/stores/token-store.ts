/** Tokens as rows of the account's database. */
import type { AddressRanges } from '../context/address-condition.ts';
import type { Policy } from '../context/policy.ts';
import type { TokenFacts, TokenOwner } from '../context/token.ts';
import type { Sql } from '../context/sql.ts';

export const tokenTables = [
  `CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    owner_kind TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    email TEXT NOT NULL,
    disabled INTEGER NOT NULL,
    policies TEXT NOT NULL,
    addresses TEXT NOT NULL,
    not_before_ms INTEGER,
    expires_ms INTEGER,
    issued_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  )`,
];

interface TokenRow extends Record<string, string | number | null> {
  id: string;
  hash: string;
  name: string;
  owner_kind: TokenOwner['kind'];
  owner_id: string;
  email: string;
  disabled: number;
  policies: string;
  addresses: string;
  not_before_ms: number | null;
  expires_ms: number | null;
  issued_ms: number;
  modified_ms: number;
}

export class TokenStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): TokenFacts | undefined {
    const [row] = this.#sql.exec<TokenRow>('SELECT * FROM tokens WHERE id = ?', id);
    return row && toToken(row);
  }

  listAll(): TokenFacts[] {
    return Array.from(this.#sql.exec<TokenRow>('SELECT * FROM tokens ORDER BY issued_ms, id'), toToken);
  }

  listOwnedBy({ kind, id }: TokenOwner): TokenFacts[] {
    return this.listAll().filter(({ owner }) => owner.kind === kind && owner.id === id);
  }

  /** Adds or replaces a token; its owner does not change. */
  put(token: TokenFacts): void {
    this.#sql.exec(
      `INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        hash = excluded.hash, name = excluded.name, disabled = excluded.disabled, policies = excluded.policies,
        addresses = excluded.addresses, not_before_ms = excluded.not_before_ms, expires_ms = excluded.expires_ms,
        modified_ms = excluded.modified_ms`,
      token.id,
      token.hash,
      token.name,
      token.owner.kind,
      token.owner.id,
      token.email,
      Number(token.isDisabled),
      JSON.stringify(token.policies),
      JSON.stringify(token.addresses),
      token.notBeforeMs,
      token.expiresAtMs,
      token.issuedAtMs,
      token.modifiedAtMs,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM tokens WHERE id = ?', id);
  }
}

function toToken(row: TokenRow): TokenFacts {
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    owner: { kind: row.owner_kind, id: row.owner_id },
    email: row.email,
    isDisabled: row.disabled !== 0,
    policies: JSON.parse(row.policies) as Policy[],
    addresses: JSON.parse(row.addresses) as AddressRanges,
    notBeforeMs: row.not_before_ms,
    expiresAtMs: row.expires_ms,
    issuedAtMs: row.issued_ms,
    modifiedAtMs: row.modified_ms,
  };
}
