/**
 * A cluster: the same objects on several machines, with their logs in one or several PostgreSQL databases that the
 * machines share. Each object is in one of the databases for good, and belongs to one host at a time, by a lease with an
 * epoch; a commit is done only if both still hold, so a host that has lost its objects cannot write them, and one that has
 * been stopped for too long answers nothing.
 *
 * ```ts
 * const cluster = await joinCluster({ url: 'postgres://gatehouse:…@db.internal/gatehouse' });
 * const runtime = await createRuntime({ cluster, directory: './scratch', classes: { Counter: { class: Counter } } });
 * await runtime.namespace('Counter').getByName('visits').increment(); // in the database when it answers
 * await runtime.close(); // leaves the cluster
 * ```
 */
export { type ClusterStatus, type HostStatus, readClusterStatus } from './cluster/postgres/status.ts';
export { Cluster, joinCluster } from './cluster/cluster.ts';
export { removeSchema } from './cluster/postgres/remove-schema.ts';
export type { ClusterOptions } from './cluster/options.ts';
export {
  ClaimLostError,
  ClusterDatabaseError,
  ClusterListenError,
  ClusterMismatchError,
  ClusterUnfinishedError,
  DatabaseError,
  HostReplacedError,
  ObjectElsewhereError,
  ObjectUnreachableError,
} from './cluster/errors.ts';
