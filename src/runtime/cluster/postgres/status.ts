/** The state of a cluster as its databases record it, for operators. Reading it joins nothing and changes nothing. */
import { type DatabaseUrl, readDatabaseUrls } from '../databases/database-list.ts';
import { ClusterMismatchError, DatabaseError } from '../errors.ts';
import { systemLeaseClock } from '../lease-clock.ts';
import { PostgresConnection } from './postgres-connection.ts';

export interface HostStatus {
  /** The database of this lease. */
  readonly database: string;
  /** A host has another id in each database. */
  readonly id: string;
  /** Where other hosts reach it; empty if they cannot. */
  readonly address: string;
  /** `over`: its lease has expired, and no host has declared it dead yet. */
  readonly state: 'serving' | 'leaving' | 'over' | 'dead';
  /** How many objects it has, according to the database. */
  readonly objects: number;
  /** Until its lease expires by the clock of the database; negative after that. */
  readonly leaseMs: number;
}

export interface ClusterStatus {
  readonly name: string;
  readonly format: number;
  /** Objects that have stored something. */
  readonly objects: number;
  /** How many of them no living host has. */
  readonly unowned: number;
  readonly hosts: readonly HostStatus[];
  /** Databases that could not be queried, and why: their content is not counted. */
  readonly away: ReadonlyArray<{ readonly database: string; readonly reason: string }>;
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

/** `url` as for `joinCluster`. Rejects if no database answers. */
export async function readClusterStatus(url: string | readonly string[]): Promise<ClusterStatus> {
  const databases = readDatabaseUrls(url);
  const results = await Promise.allSettled(databases.map(readDatabaseStatus));
  const answers: DatabaseStatus[] = [];
  const away: Array<{ readonly database: string; readonly reason: string }> = [];
  for (const [index, result] of results.entries()) {
    if (result.status === 'fulfilled') answers.push(result.value);
    else if (result.reason instanceof DatabaseError)
      away.push({ database: databases[index]!.name, reason: result.reason.message });
    else throw result.reason;
  }
  const [first] = answers;
  if (first === undefined) throw (results[0] as PromiseRejectedResult).reason;
  const sum = (count: 'objects' | 'unowned'): number =>
    answers.reduce((total, each) => total + each[count], 0);
  const hosts = answers.flatMap((each) => each.hosts);
  return { ...first, objects: sum('objects'), unowned: sum('unowned'), hosts, away };
}

type DatabaseStatus = Omit<ClusterStatus, 'away'>;

async function readDatabaseStatus({ name: database, url }: DatabaseUrl): Promise<DatabaseStatus> {
  const connection = new PostgresConnection(url, { clock: systemLeaseClock });
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
