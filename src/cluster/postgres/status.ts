/** What a cluster looks like from its databases, for operators. Looking joins nothing and changes nothing. */
import { type DatabaseUrl, readDatabaseUrls } from '../databases/database-list.ts';
import { ClusterMismatchError } from '../errors.ts';
import { systemLeaseClock } from '../lease-clock.ts';
import { Connection } from './connection.ts';

export interface HostStatus {
  /** Where it has this lease. */
  readonly database: string;
  /** A host has another id in each database. */
  readonly id: string;
  /** Where other hosts reach it; empty if they do not. */
  readonly address: string;
  /** `over`: it has not renewed its lease in time, and nobody has declared it dead yet. */
  readonly state: 'serving' | 'leaving' | 'over' | 'dead';
  /** Objects that it has, by the database. */
  readonly objects: number;
  /** Until its lease is over by the clock of the database; negative since it is. */
  readonly leaseMs: number;
}

export interface ClusterStatus {
  readonly name: string;
  readonly format: number;
  /** Objects that have stored something. */
  readonly objects: number;
  /** Those of them that no living host has. */
  readonly unowned: number;
  readonly hosts: readonly HostStatus[];
}

const hostsStatement = `SELECT m.id, m.address,
    CASE WHEN m.dead THEN 'dead' WHEN m.until < clock_timestamp() THEN 'over' WHEN m.leaving THEN 'leaving' ELSE 'serving' END
      AS state,
    (SELECT count(*)::int FROM gatehouse.head h WHERE h.host = m.id) AS objects,
    (extract(epoch FROM m.until - clock_timestamp()) * 1000)::float8 AS "leaseMs"
  FROM gatehouse.host m ORDER BY m.dead, m.address, m.id`;

const totalsStatement = `SELECT count(*)::int AS objects,
    (count(*) FILTER (WHERE NOT EXISTS (SELECT 1 FROM gatehouse.host m WHERE m.id = h.host AND NOT m.dead)))::int AS unowned
  FROM gatehouse.head h WHERE h.seq > 0`;

/** `url` as for `joinCluster`. */
export async function readClusterStatus(url: string | readonly string[]): Promise<ClusterStatus> {
  const all = await Promise.all(readDatabaseUrls(url).map(readDatabaseStatus));
  const sum = (count: 'objects' | 'unowned'): number => all.reduce((total, each) => total + each[count], 0);
  return {
    ...all[0]!,
    objects: sum('objects'),
    unowned: sum('unowned'),
    hosts: all.flatMap(({ hosts }) => hosts),
  };
}

async function readDatabaseStatus({ name: database, url }: DatabaseUrl): Promise<ClusterStatus> {
  const connection = new Connection(url, { clock: systemLeaseClock });
  try {
    const [found] = await connection.query<{ readonly there: string | null }>({
      text: "SELECT to_regclass('gatehouse.cluster')::text AS there",
    });
    if (found?.there == null) throw new ClusterMismatchError('the database holds no cluster');
    const [cluster] = await connection.query<Pick<ClusterStatus, 'name' | 'format'>>({
      text: 'SELECT name, format FROM gatehouse.cluster',
    });
    const hosts = await connection.query<HostStatus>({ text: hostsStatement });
    const [totals] = await connection.query<Pick<ClusterStatus, 'objects' | 'unowned'>>({
      text: totalsStatement,
    });
    return {
      ...cluster!,
      ...totals!,
      hosts: hosts.map((host) => ({ ...host, database, leaseMs: Math.round(host.leaseMs) })),
    };
  } finally {
    await connection.close();
  }
}
