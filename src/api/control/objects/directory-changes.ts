/**
 * Changes that the directory has not received yet: the zones, tokens and other resources that writes to the account
 * have changed. Triggers write these rows in the transaction of the change, so no write can omit one, and a change that
 * is rolled back has none.
 *
 * A second number, the version of the configuration, is the revision of the last write that affects the edges of all
 * zones.
 */
import { text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

/** Zones and tokens have an id; the others are read as a whole. */
type ChangedKind =
  | 'zone'
  | 'token'
  | 'users'
  | 'lists'
  | 'rulesets'
  | 'access rules'
  | 'workers'
  | 'load balancing'
  | 'logpush';

const tokenColumns =
  'hash, name, disabled, policies, addresses, not_before_ms, expires_ms, modified_ms' as const;

const setConfigurationVersion = `INSERT INTO configuration_version SELECT 1, revision + 1 FROM account WHERE true
        ON CONFLICT (one) DO UPDATE SET version = excluded.version;`;

/** Must be created after the tables that its triggers watch. */
const changeTable = new Table('directory_changes', {
  key: ['kind', 'id'],
  isWithoutRowid: true,
  columns: { kind: text<ChangedKind>(), id: text(), revision: whole() },
  attached: [
    ...createTriggers('zones', { kind: 'zone' }),
    ...createTriggers('tokens', { kind: 'token', updateOf: tokenColumns }),
    ...createTriggers('users', { kind: 'users' }),
    ...createTriggers('lists', { kind: 'lists', isConfigured: true }),
    ...createTriggers('rulesets', { kind: 'rulesets', isConfigured: true }),
    ...createTriggers('access_rules', { kind: 'access rules', isConfigured: true }),
    ...createTriggers('workers', { kind: 'workers', updateOf: 'host', isConfigured: true }),
    ...createTriggers('worker_routes', { kind: 'workers', isConfigured: true }),
    ...createTriggers('lb_monitors', { kind: 'load balancing', isConfigured: true }),
    ...createTriggers('lb_pools', { kind: 'load balancing', isConfigured: true }),
    ...createTriggers('load_balancers', { kind: 'load balancing', isConfigured: true }),
    ...createTriggers('logpush_jobs', { kind: 'logpush', isConfigured: true }),
  ],
});
const versionTable = new Table('configuration_version', { key: [], columns: { version: whole() } });

export const directoryChangeTables = [changeTable, versionTable];

interface Watched {
  readonly kind: ChangedKind;
  /** The columns whose changes count; all by default. */
  readonly updateOf?: string;
  /** Whether the edges of all zones read it. A list's row is updated when its items change. */
  readonly isConfigured?: boolean;
}

/** The revision is incremented at the end of a write, so the row has the account's revision plus one. */
function createTriggers(table: string, { kind, updateOf, isConfigured = false }: Watched): string[] {
  const events = {
    INSERT: 'NEW',
    [`UPDATE${updateOf === undefined ? '' : ` OF ${updateOf}`}`]: 'NEW',
    DELETE: 'OLD',
  };
  return Object.entries(events).map(([event, row]) => {
    const id = kind === 'zone' || kind === 'token' ? `${row}.id` : "''";
    const name = `${table}_${event.slice(0, 6).toLowerCase()}_changes_directory`;
    return `CREATE TRIGGER IF NOT EXISTS ${name} AFTER ${event} ON ${table} BEGIN
      INSERT INTO directory_changes SELECT '${kind}', ${id}, revision + 1 FROM account WHERE true
        ON CONFLICT (kind, id) DO UPDATE SET revision = excluded.revision;
      ${isConfigured ? setConfigurationVersion : ''}
    END`;
  });
}

export class DirectoryChangeStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  listSince(revision: number): RowOf<typeof changeTable>[] {
    return changeTable.select(this.#sql, 'WHERE revision > ?', revision);
  }

  /** For an account whose whole state was replaced. */
  setEverythingChanged(): void {
    this.#sql.exec(setConfigurationVersion);
  }

  /** Deletes changes that the directory has. */
  removeUntil(revision: number): void {
    this.#sql.exec('DELETE FROM directory_changes WHERE revision <= ?', revision);
  }

  /** 0 until a change affects the edges. */
  get configurationVersion(): number {
    return versionTable.get(this.#sql)?.version ?? 0;
  }
}
