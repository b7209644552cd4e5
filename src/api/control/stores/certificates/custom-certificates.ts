/** Uploaded certificates as rows of the zone's database. Private keys are sealed. */
import type { BundleMethod } from '#contract';
import { json, text, whole } from '../../context/tables/columns.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

export const customCertificateTable = new Table('custom_certificates', {
  sequence: 'autoincrement',
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
  /** Newest first: if two cover a name, the newer one is served. */
  order: 'sequence DESC',
});

export type CustomCertificate = RowOf<typeof customCertificateTable>;
