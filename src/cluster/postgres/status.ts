/** What a cluster looks like from its database, for operators. Looking joins nothing and changes nothing. */
import { ClusterMismatchError } from '../errors.ts';
import { systemLeaseClock } from '../lease-clock.ts';
import { Connection } from './connection.ts';

export interface HostStatus {
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

/** Of all databases of a cluster, with spaces between their URLs. */
export async function readClusterStatus(urls: string): Promise<ClusterStatus> {
  const parts: ClusterStatus[] = [];
  for (const url of urls.trim().split(/\s+/)) parts.push(await readStatus(url));
  const [first, ...others] = parts;
  return others.reduce(addStatus, first!);
}

/** A host has an id in each database, and one address. */
function addStatus(sum: ClusterStatus, part: ClusterStatus): ClusterStatus {
  return {
    ...sum,
    objects: sum.objects + part.objects,
    unowned: sum.unowned + part.unowned,
    hosts: sum.hosts.map((host) => {
      const same = part.hosts.find(({ address, state }) => address === host.address && state === host.state);
      return same === undefined ? host : { ...host, objects: host.objects + same.objects };
    }),
  };
}

async function readStatus(url: string): Promise<ClusterStatus> {
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
      hosts: hosts.map((host) => ({ ...host, leaseMs: Math.round(host.leaseMs) })),
    };
  } finally {
    await connection.close();
  }
}
