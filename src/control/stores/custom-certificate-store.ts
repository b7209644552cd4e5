/** Uploaded certificates as rows of the zone's database. Private keys are sealed. */
import type { BundleMethod } from '#contract';
import type { Sql } from '../context/tables/sql.ts';
import { json, type RowOf, Table, text, whole } from '../context/tables/table.ts';

const table = new Table('custom_certificates', {
  order: 'sequence INTEGER PRIMARY KEY AUTOINCREMENT',
  columns: {
    id: text({ isUnique: true }),
    /** PEM, the certificate of the server first. */
    chain: text(),
    sealedKey: text(),
    hosts: json<readonly string[]>(),
    issuer: text(),
    signature: text(),
    bundleMethod: text<BundleMethod>(),
    uploadedAtMs: whole(),
    expiresAtMs: whole(),
  },
});

export const customCertificateTables = [table.creation];
export type CustomCertificate = RowOf<typeof table>;

export class CustomCertificateStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The newest first: of two that cover a name, the newer one is served. */
  listAll(): CustomCertificate[] {
    return table.select(this.#sql, 'ORDER BY sequence DESC');
  }

  add(certificate: CustomCertificate): void {
    table.insert(this.#sql, certificate);
  }

  remove(id: string): void {
    table.remove(this.#sql, id);
  }
}
