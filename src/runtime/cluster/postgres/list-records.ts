/** The list of the databases of a cluster, as each of them records it. */
import type { ListedDatabase, LivingHost, RecordedList } from '../databases/database-list.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { formatVersionOfSeveral } from './schema.ts';
import { leaseOver } from './statements.ts';

export async function readList(connection: PostgresConnection): Promise<RecordedList> {
  const rows = await connection.query<ListedDatabase & { readonly mine: boolean }>({
    text: 'SELECT name, generation, mine FROM gatehouse.database ORDER BY generation, name',
  });
  const [used] = await connection.query<{ readonly used: boolean }>({
    text: 'SELECT EXISTS (SELECT 1 FROM gatehouse.head) AS used',
  });
  return {
    databases: rows.map(({ name, generation }) => ({ name, generation })),
    mine: rows.find(({ mine }) => mine)?.name,
    isUsed: used!.used,
  };
}

/**
 * Records a list that is longer than the recorded one, unless a host of the shorter one is alive: then it changes
 * nothing and returns the living hosts. Meanwhile no host can join, and no statement of a recently dead host can still
 * arrive.
 */
export async function recordList(
  connection: PostgresConnection,
  databases: readonly ListedDatabase[],
  mine: string,
): Promise<LivingHost[]> {
  const newest = Math.max(...databases.map(({ generation }) => generation));
  return await connection.transact(async (query) => {
    await query({ text: 'LOCK TABLE gatehouse.head IN SHARE ROW EXCLUSIVE MODE' });
    const [row] = (await query({ text: 'SELECT generation FROM gatehouse.cluster FOR UPDATE' })) as [
      { readonly generation: number },
    ];
    if (row.generation >= newest) return [];
    const living = (await query({
      text: `SELECT id, beat::float8 AS beat, lease_ms AS "leaseMs", ${leaseOver} AS "isOver"
        FROM gatehouse.host WHERE NOT dead`,
    })) as LivingHost[];
    if (living.length > 0 && row.generation > 0) return living;
    for (const { name, generation } of databases) {
      await query({
        text: `INSERT INTO gatehouse.database (name, generation, mine) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        values: [name, generation, name === mine],
      });
    }
    const format = databases.length > 1 ? formatVersionOfSeveral : 1;
    await query({
      text: 'UPDATE gatehouse.cluster SET generation = $1, format = greatest(format, $2)',
      values: [newest, format],
    });
    return [];
  });
}

/** The error for a host that joins with an outdated list. */
export const listChangedText =
  'cannot join the cluster: a database was added to it in the meantime; restart this host with the URLs of all databases';
