/** The certificates of a zone with their private keys, for the edge: uploaded certificates come before its own. */
import type { ConfiguredCertificate } from '#firewall';
import type { KeySealer } from '../context/key-sealer.ts';
import type { Sql } from '../context/tables/sql.ts';
import { customCertificateTable } from '../stores/certificates/custom-certificates.ts';
import { managedCertificateTable } from '../stores/certificates/managed-certificates.ts';

export interface ReadCertificatesOptions {
  readonly keySealer: KeySealer;
  /** Receives the error for a key that cannot be read. Its certificate is omitted, and the zone is still served. */
  readonly onError: (error: unknown) => void;
}

export function readConfiguredCertificates(
  sql: Sql,
  { keySealer, onError }: ReadCertificatesOptions,
): ConfiguredCertificate[] {
  const managed = managedCertificateTable.list(sql);
  return [...customCertificateTable.list(sql), ...managed].flatMap(({ id, chain, sealedKey }) => {
    if (chain === null || sealedKey === null) return [];
    try {
      return [{ chain, privateKey: keySealer.open(sealedKey, id) }];
    } catch (error) {
      onError(error);
      return [];
    }
  });
}
