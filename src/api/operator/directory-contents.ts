/**
 * The entries of a data directory, and how each is copied. Backup and restore use this table, so that no folder is
 * omitted because the code of another room creates it: a running server that creates an entry which is not in the table
 * fails a test (`test/server/backup.test.ts`). An entry without a row is copied as files.
 *
 * The stores of the account and each Worker have a data directory of their own inside the one of the program, with the same
 * entries.
 */

/**
 * - `objects`: the log of the objects and what is derived from it. The runtime copies it as of one moment.
 * - `logs`: has a log of its own. The program that has it open copies it; without a program, it is copied as files.
 * - `directory`: a data directory. `directories`: a folder of them.
 * - `files`: small files that are replaced as a whole, or grow at their end.
 * - `kept files`: files that are written once and never changed. Those that are deleted during a backup go after it.
 * - `passing`: used only while the program runs, made again by each start. No backup has them.
 */
export type EntryKind = 'objects' | 'logs' | 'directory' | 'directories' | 'files' | 'kept files' | 'passing';

interface Entry {
  /** A name, or a pattern for several names. */
  readonly name: string | RegExp;
  readonly kind: EntryKind;
}

const entries: readonly Entry[] = [
  { name: 'journal', kind: 'objects' },
  { name: 'tables', kind: 'objects' },
  { name: 'images', kind: 'objects' },
  { name: /^host-\d+$/, kind: 'objects' },
  { name: 'hosts.json', kind: 'objects' },
  { name: 'hosts.json.copy', kind: 'objects' },

  { name: 'events', kind: 'logs' },
  { name: 'traffic', kind: 'logs' },

  { name: 'stores', kind: 'directory' },
  { name: 'workers', kind: 'directories' },

  { name: 'gatehouse.json', kind: 'files' },
  { name: 'gatehouse.json.copy', kind: 'files' },
  { name: 'certificates.key', kind: 'files' },
  { name: 'certificates.key.copy', kind: 'files' },
  { name: 'edge.secret', kind: 'files' },
  { name: 'edge.secret.copy', kind: 'files' },
  // Renamed because its copy differs.
  { name: /^(?:certificates\.key|edge\.secret)(?:\.copy)?\.damaged-\d+$/, kind: 'files' },
  { name: 'tls', kind: 'files' },
  { name: 'crs', kind: 'files' },
  { name: 'geoip', kind: 'files' },
  { name: 'logs', kind: 'files' },
  { name: 'logpush', kind: 'files' },
  { name: 'logpush-files', kind: 'files' },
  { name: 'last-scrub.json', kind: 'files' },
  { name: /^trusted-[0-9a-f]{16}\.txt$/, kind: 'files' },

  { name: 'worker-code', kind: 'kept files' },
  { name: 'worker-assets', kind: 'kept files' },
  // For a Worker of `gatehouse run`, or of `workers` in the configuration.
  { name: 'versions', kind: 'kept files' },
  // The contents of R2 buckets.
  { name: 'buckets', kind: 'kept files' },

  { name: 'lock', kind: 'passing' },
  { name: 'lock.holder', kind: 'passing' },
  { name: 'live', kind: 'passing' },
  // What a host of a cluster has read from the database.
  { name: 'claimed', kind: 'passing' },
  { name: 'operator.sock', kind: 'passing' },
  { name: 'worker.sock', kind: 'passing' },
  { name: 'edge-workers.sock', kind: 'passing' },
  { name: 'edge-workers.sock.pids', kind: 'passing' },
  { name: 'sockets', kind: 'passing' },
  { name: 'uploads', kind: 'passing' },
  // A Worker's deletion in progress.
  { name: 'removed', kind: 'passing' },
  // Remains of a change of the number of object hosts, a move of objects or an interrupted write.
  { name: /\.(?:tmp|new)$/, kind: 'passing' },
  { name: /^transfer-/, kind: 'passing' },
  // A socket that is being created.
  { name: /^\.(?:operator|worker|edge-workers)-/, kind: 'passing' },
];

/** Undefined for a name that the program does not use. */
export function findEntryKind(name: string): EntryKind | undefined {
  return entries.find((entry) =>
    typeof entry.name === 'string' ? entry.name === name : entry.name.test(name),
  )?.kind;
}
