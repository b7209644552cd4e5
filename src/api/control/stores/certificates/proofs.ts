/**
 * Digests that validate names to certificate authorities in TLS handshakes at the edge, as rows of the zone's database.
 */
import { text } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { Table } from '../../context/tables/table.ts';

export const certificateProofTable = new Table('certificate_proofs', {
  key: ['host'],
  /** SHA-256 as base64url. */
  columns: { host: text(), digest: text() },
});

/** By host; undefined if there is none. */
export function readConfiguredProofs(sql: Sql): Record<string, string> | undefined {
  const proofs = certificateProofTable.list(sql);
  return proofs.length === 0
    ? undefined
    : Object.fromEntries(proofs.map(({ host, digest }) => [host, digest]));
}
