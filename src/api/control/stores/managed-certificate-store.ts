/** The certificate that a zone gets by itself, as a row of its database. Private keys are sealed. */
import { flag, json, nullable, text, whole } from '../context/tables/columns.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

/** A zone has one at most; none if it never wanted one. */
export const managedCertificateTable = new Table('managed_certificates', {
  key: [],
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

export type ManagedCertificate = RowOf<typeof managedCertificateTable>;
