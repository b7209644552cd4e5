/** The facts about a zone's certificates that the account keeps, and when the renewal of each is late. */
import { X509Certificate } from 'node:crypto';
import type { Sql } from '../context/tables/sql.ts';
import { customCertificateTable } from '../stores/certificates/custom-certificates.ts';
import {
  type ManagedCertificate,
  managedCertificateTable,
} from '../stores/certificates/managed-certificates.ts';
import type { KnownCertificate } from '../stores/certificates/zone-certificates.ts';
import { warningMsMax, warningShare } from './limits.ts';

/** The certificates that the edge serves, or will serve. */
export function listKnownCertificates(sql: Sql): KnownCertificate[] {
  const managed = managedCertificateTable.list(sql).filter(({ isEnabled }) => isEnabled);
  const uploaded = customCertificateTable.list(sql).map(({ id, hosts, chain, expiresAtMs }) => ({
    id,
    source: 'uploaded' as const,
    hosts,
    expiresAtMs,
    warnAtMs: findWarning(new X509Certificate(chain).validFromDate.getTime(), expiresAtMs),
    problem: null,
  }));
  return [...managed.map(toKnown), ...uploaded];
}

export function toKnown({
  id,
  hosts,
  issuedAtMs,
  expiresAtMs,
  problem,
}: Pick<ManagedCertificate, 'id' | 'hosts' | 'issuedAtMs' | 'expiresAtMs' | 'problem'>): KnownCertificate {
  const warnAtMs = expiresAtMs === null ? null : findWarning(issuedAtMs ?? expiresAtMs, expiresAtMs);
  return { id, source: 'universal', hosts, expiresAtMs, warnAtMs, problem };
}

function findWarning(fromMs: number, expiresAtMs: number): number {
  return Math.round(expiresAtMs - Math.min((expiresAtMs - fromMs) * warningShare, warningMsMax));
}
