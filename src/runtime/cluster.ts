/**
 * A cluster: the same objects on several machines, with their logs in one or several PostgreSQL databases that the
 * machines share. Each object is permanently in one of the databases, and belongs to one host at a time, by a lease
 * with an epoch; a commit is done only if both are still valid, so a host that has lost its objects cannot write them,
 * and one that has been stopped for too long sends no answers.
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
export { removeSchema } from './cluster/postgres/schema.ts';
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
