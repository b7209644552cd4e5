/** Errors of a cluster that a user can act on. */

/** The database belongs to another cluster, or was written by a later version of the program. */
export class ClusterMismatchError extends Error {
  override readonly name = 'ClusterMismatchError';
  readonly code = 'CLUSTER_MISMATCH';
}

/** The database cannot be used for a cluster, because of its content or its settings. */
export class ClusterDatabaseError extends Error {
  override readonly name = 'ClusterDatabaseError';
  readonly code = 'CLUSTER_DATABASE_UNFIT';
}

/** A copy that fills the cluster is not complete. */
export class ClusterUnfinishedError extends Error {
  override readonly name = 'ClusterUnfinishedError';
  readonly code = 'CLUSTER_UNFINISHED';

  constructor() {
    super(
      'an import into the cluster is not complete: run gatehouse cluster import until it finishes before you start',
    );
  }
}

/** This host cannot listen for the others at the configured address. */
export class ClusterListenError extends Error {
  override readonly name = 'ClusterListenError';
  readonly code = 'CLUSTER_CANNOT_LISTEN';

  constructor(
    { host, port }: { readonly host: string; readonly port: number },
    reason: string,
    options: ErrorOptions,
  ) {
    super(
      `cannot listen for the other hosts of the cluster on ${host}, port ${port}: ${reason}; choose an address of this machine and a free port (cluster_listen)`,
      options,
    );
  }
}

/** Another host has the object, and the operation cannot be forwarded. */
export class ObjectElsewhereError extends Error {
  override readonly name = 'ObjectElsewhereError';
  readonly code = 'OBJECT_ELSEWHERE';
  readonly retryable = true;
  readonly host: string;

  constructor(host: string) {
    super(
      `cannot use the object on this host: host ${host} of the cluster has it; try again, or call that host (hosts forward calls if they join with "listen")`,
    );
    this.host = host;
  }
}

/** The host that has the object cannot be called from here. */
export class ObjectUnreachableError extends Error {
  override readonly name = 'ObjectUnreachableError';
  readonly code = 'OBJECT_UNREACHABLE';
  readonly retryable = true;

  constructor() {
    super(
      'cannot reach the object: the cluster host that has it accepts no calls from other hosts; join with "listen" there',
    );
  }
}

/** This host was declared dead, and other hosts have its objects. */
export class HostReplacedError extends Error {
  override readonly name = 'HostReplacedError';
  readonly code = 'HOST_REPLACED';
  readonly retryable = true;
  readonly durableObjectReset = true;

  constructor() {
    super(
      'Durable Object was reset because its host was out of touch with the cluster for too long and was replaced.',
    );
  }
}

/** Another host has the right to write the object. */
export class ClaimLostError extends Error {
  override readonly name = 'ClaimLostError';
  readonly code = 'CLAIM_LOST';
  readonly retryable = true;

  constructor() {
    super('another host of the cluster has taken over the object');
  }
}

/** An error that the database reported, or a missing answer. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: 'CLUSTER_DATABASE_AWAY' | 'CLUSTER_DATABASE_REFUSED';
  readonly retryable: boolean;
  /** Why writes are refused, if that is the only problem. */
  readonly diskRefusal?: 'full' | 'read-only' | 'away';
  /** Whether the operation is certain not to have happened. */
  readonly outcome: 'no' | 'unknown';
  /** `conflict`: another transaction interfered. `away`: no answer. `refused`: the database declines. */
  readonly reason: 'conflict' | 'away' | 'refused' | 'no-table';

  constructor(
    message: string,
    {
      outcome,
      reason,
      diskRefusal,
      cause,
    }: Pick<DatabaseError, 'outcome' | 'reason' | 'diskRefusal'> & { readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.outcome = outcome;
    this.reason = reason;
    this.code = reason === 'refused' ? 'CLUSTER_DATABASE_REFUSED' : 'CLUSTER_DATABASE_AWAY';
    this.retryable = reason !== 'refused';
    const refusal = diskRefusal ?? (reason === 'away' ? reason : undefined);
    if (refusal !== undefined) this.diskRefusal = refusal;
  }
}

/** The lease of this host has expired, and could not be renewed. */
export function createLeaseError(): DatabaseError {
  return new DatabaseError(
    'the database of the cluster does not answer: this host could not renew its lease',
    { outcome: 'no', reason: 'away' },
  );
}
