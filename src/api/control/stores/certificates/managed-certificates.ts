/** The certificate that a zone gets automatically, as a row of its database. Private keys are sealed. */
import { flag, json, nullable, text, whole } from '../../context/tables/columns.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

/** A zone has at most one; none if it never requested one. */
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
    /** The URL of an order that is in progress, or was when the process died. */
    orderUrl: nullable(text()),
    sealedOrderKey: nullable(text()),
    /** When the next step is due. */
    dueAtMs: nullable(whole()),
    /** Failed attempts since the last success. */
    failures: whole(),
    /** The last failure, in the words of the authority. */
    problem: nullable(text()),
  },
});

export type ManagedCertificate = RowOf<typeof managedCertificateTable>;
