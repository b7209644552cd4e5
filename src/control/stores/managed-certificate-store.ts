/** The certificate that a zone gets by itself, as a row of its database. Private keys are sealed. */
import type { Sql } from '../context/tables/sql.ts';
import { flag, json, nullable, type RowOf, Table, text, whole } from '../context/tables/table.ts';

const table = new Table('managed_certificates', {
  columns: {
    id: text(),
    isEnabled: flag(),
    hosts: json<readonly string[]>(),
    email: nullable(text()),
    createdAtMs: whole(),
    /** PEM, the certificate of the server first; null until there is one. */
    chain: nullable(text()),
    sealedKey: nullable(text()),
    issuedAtMs: nullable(whole()),
    expiresAtMs: nullable(whole()),
    renewAtMs: nullable(whole()),
    /** The directory of the authority that issued it, or that has the order. */
    directory: nullable(text()),
    /** Of an order that is under way, or was when the process ended. */
    orderUrl: nullable(text()),
    sealedOrderKey: nullable(text()),
    /** When something is to be done next. */
    dueAtMs: nullable(whole()),
    /** Attempts that failed since the last that did not. */
    failures: whole(),
    /** What failed last, in the words of the authority. */
    problem: nullable(text()),
  },
});

export const managedCertificateTables = [table.creation];
export type ManagedCertificate = RowOf<typeof table>;

export class ManagedCertificateStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** A zone has one; undefined if it never wanted one. */
  read(): ManagedCertificate | undefined {
    return table.select(this.#sql)[0];
  }

  put(certificate: ManagedCertificate): void {
    table.put(this.#sql, certificate);
  }
}
