/** The KV namespaces, D1 databases, queues and R2 buckets of the account. Their contents are stored elsewhere. */
import { json, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export type StoreKind = 'kv' | 'd1' | 'queue' | 'r2';

/** A Worker that consumes a queue, or a client that pulls its messages: then there is no script. */
export interface StoredConsumer {
  readonly id: string;
  readonly script?: string | undefined;
  readonly deadLetterQueue: string | null;
  readonly settings: {
    readonly batch_size: number;
    readonly max_retries: number;
    readonly max_wait_time_ms: number;
    readonly retry_delay: number;
    readonly visibility_timeout_ms?: number;
  };
  readonly createdAtMs: number;
}

/** The settings of a store. */
export interface StoreSettings {
  /** For a database: there is one copy; the setting is stored to be shown again. */
  readonly read_replication?: 'auto' | 'disabled';
  /** For a bucket: all are the same; the setting is stored to be shown again. */
  readonly storage_class?: string;
  /** For a bucket: rules without effect, stored to be shown again. */
  readonly cors?: readonly unknown[];
  readonly lifecycle?: readonly unknown[];
  readonly delivery_delay?: number;
  readonly message_retention_period?: number;
  readonly delivery_paused?: boolean;
  readonly consumers?: readonly StoredConsumer[];
}

export const storeTable = new Table('stores', {
  key: ['kind', 'id'],
  columns: {
    kind: text<StoreKind>(),
    id: text(),
    name: text(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
    settings: json<StoreSettings>(),
  },
  order: 'name',
  attached: ['CREATE UNIQUE INDEX IF NOT EXISTS stores_by_name ON stores (kind, name)'],
});

export type StoreRow = RowOf<typeof storeTable>;

export class StoreRegistry {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  listAll(): StoreRow[] {
    return storeTable.list(this.#sql);
  }

  list(kind: StoreKind): StoreRow[] {
    return storeTable.select(this.#sql, 'WHERE kind = ? ORDER BY name', kind);
  }

  get(kind: StoreKind, id: string): StoreRow | undefined {
    return storeTable.get(this.#sql, kind, id);
  }

  /** Whether another store of the kind has the name. */
  isTaken({ kind, id, name }: StoreRow): boolean {
    return this.list(kind).some((each) => each.name === name && each.id !== id);
  }

  put(row: StoreRow): void {
    storeTable.put(this.#sql, row);
  }

  remove(kind: StoreKind, id: string): void {
    storeTable.remove(this.#sql, kind, id);
  }
}
