/** References of an account to files of the data directory, read from a copy of its database. */
import type { PastObject } from '#objects';

export interface AccountFiles {
  /** Digests of the code of all versions of Workers. */
  readonly code: readonly string[];
  /** Digests of the lists of their assets. */
  readonly assets: readonly string[];
  /** The ids of the Workers that have objects. */
  readonly workers: readonly string[];
  readonly hasStores: boolean;
}

export function readAccountFiles(account: Pick<PastObject, 'exec'>): AccountFiles {
  const has = (table: string): boolean =>
    account.exec('SELECT 1 FROM sqlite_master WHERE name = ?', table).toArray().length > 0;
  const pick = (table: string, value: string): string[] =>
    // Earlier versions had fewer tables.
    has(table)
      ? account
          .exec(`SELECT DISTINCT ${value} AS found FROM ${table}`)
          .toArray()
          .flatMap(({ found }) => (typeof found === 'string' ? [found] : []))
      : [];
  return {
    code: pick('worker_versions', 'code_digest'),
    assets: pick('worker_versions', "json_extract(assets, '$.manifest')"),
    workers: pick('workers', "CASE WHEN classes <> '[]' THEN id END"),
    hasStores: pick('stores', 'id').length > 0,
  };
}
