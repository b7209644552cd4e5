/**
 * The account's facts about the certificates of all zones, so that one query finds those that need attention. A zone
 * reports them with the end of its audit log, a second after a change (`audit-anchors.ts`).
 */
import { json, nullable, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

/** `universal`: the zone gets it automatically. */
export type CertificateSource = 'universal' | 'uploaded';

export interface KnownCertificate {
  readonly id: string;
  readonly source: CertificateSource;
  readonly hosts: readonly string[];
  /** Null until it is issued. */
  readonly expiresAtMs: number | null;
  /** The time by which it should have been replaced. */
  readonly warnAtMs: number | null;
  /** The last failure, in the words of the authority. */
  readonly problem: string | null;
}

/** Most urgent first. */
export const certificateStates = ['expired', 'expiring', 'failing', 'pending', 'active'] as const;
export type CertificateState = (typeof certificateStates)[number];

/** States that do not resolve without action, or not in time. */
export const urgentStates: ReadonlySet<CertificateState> = new Set(['expired', 'expiring', 'failing']);

export function findState(
  { expiresAtMs, warnAtMs, problem }: Pick<KnownCertificate, 'expiresAtMs' | 'warnAtMs' | 'problem'>,
  nowMs: number,
): CertificateState {
  if (expiresAtMs !== null && expiresAtMs <= nowMs) return 'expired';
  if (warnAtMs !== null && warnAtMs <= nowMs) return 'expiring';
  if (problem !== null) return 'failing';
  return expiresAtMs === null ? 'pending' : 'active';
}

export const zoneCertificateTable = new Table('zone_certificates', {
  key: ['zoneId', 'id'],
  isWithoutRowid: true,
  columns: {
    zoneId: text(),
    id: text(),
    source: text<CertificateSource>(),
    hosts: json<readonly string[]>(),
    expiresAtMs: nullable(whole()),
    warnAtMs: nullable(whole()),
    problem: nullable(text()),
  },
  attached: [
    `CREATE TRIGGER IF NOT EXISTS zones_have_certificates AFTER DELETE ON zones
    BEGIN DELETE FROM zone_certificates WHERE zone_id = OLD.id; END`,
  ],
});

export interface ZoneCertificate extends RowOf<typeof zoneCertificateTable> {
  readonly state: CertificateState;
}

export function replaceZoneCertificates(
  sql: Sql,
  zoneId: string,
  certificates: readonly KnownCertificate[],
): void {
  sql.exec('DELETE FROM zone_certificates WHERE zone_id = ?', zoneId);
  for (const certificate of certificates) zoneCertificateTable.put(sql, { zoneId, ...certificate });
}

/** Most urgent first. */
export function listZoneCertificates(sql: Sql, nowMs: number): ZoneCertificate[] {
  const rank = ({ state }: ZoneCertificate): number => certificateStates.indexOf(state);
  return zoneCertificateTable
    .list(sql)
    .map((row) => ({ ...row, state: findState(row, nowMs) }))
    .toSorted(
      (one, other) =>
        rank(one) - rank(other) || (one.expiresAtMs ?? Infinity) - (other.expiresAtMs ?? Infinity) || 0,
    );
}
