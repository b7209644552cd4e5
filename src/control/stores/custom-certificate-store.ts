/** Uploaded certificates as rows of the zone's database. Private keys are sealed. */
import type { BundleMethod } from '#api';
import type { Sql } from '../context/sql.ts';

export const customCertificateTables = [
  `CREATE TABLE IF NOT EXISTS custom_certificates (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    chain TEXT NOT NULL,
    sealed_key TEXT NOT NULL,
    hosts TEXT NOT NULL,
    issuer TEXT NOT NULL,
    signature TEXT NOT NULL,
    bundle_method TEXT NOT NULL,
    uploaded_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
  )`,
];

export interface CustomCertificate {
  readonly id: string;
  /** PEM, the certificate of the server first. */
  readonly chain: string;
  readonly sealedKey: string;
  readonly hosts: readonly string[];
  readonly issuer: string;
  readonly signature: string;
  readonly bundleMethod: BundleMethod;
  readonly uploadedAtMs: number;
  readonly expiresAtMs: number;
}

interface Row extends Record<string, string | number> {
  id: string;
  chain: string;
  sealed_key: string;
  hosts: string;
  issuer: string;
  signature: string;
  bundle_method: string;
  uploaded_ms: number;
  expires_ms: number;
}

export class CustomCertificateStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** The newest first: of two that cover a name, the newer one is served. */
  listAll(): CustomCertificate[] {
    return Array.from(
      this.#sql.exec<Row>('SELECT * FROM custom_certificates ORDER BY sequence DESC'),
      toCertificate,
    );
  }

  add(certificate: CustomCertificate): void {
    this.#sql.exec(
      `INSERT INTO custom_certificates
        (id, chain, sealed_key, hosts, issuer, signature, bundle_method, uploaded_ms, expires_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      certificate.id,
      certificate.chain,
      certificate.sealedKey,
      JSON.stringify(certificate.hosts),
      certificate.issuer,
      certificate.signature,
      certificate.bundleMethod,
      certificate.uploadedAtMs,
      certificate.expiresAtMs,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM custom_certificates WHERE id = ?', id);
  }
}

function toCertificate(row: Row): CustomCertificate {
  return {
    id: row.id,
    chain: row.chain,
    sealedKey: row.sealed_key,
    hosts: JSON.parse(row.hosts) as string[],
    issuer: row.issuer,
    signature: row.signature,
    bundleMethod: row.bundle_method as BundleMethod,
    uploadedAtMs: row.uploaded_ms,
    expiresAtMs: row.expires_ms,
  };
}
