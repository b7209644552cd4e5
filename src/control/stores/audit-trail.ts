/**
 * Every change of an object, in its own database and in the same transaction: who, when, what, before and after. Each
 * entry's hash covers the entry and the hash before it, so an entry cannot be changed, removed or inserted without
 * invalidating every later hash. That the last entries were removed shows in the account, which has the newest hash of each
 * log (`audit-anchor-store.ts`). The database itself refuses to change or delete an entry, and the rows outlive the zone
 * they describe.
 *
 * A restore of the object takes no entry back (`keepTables`). It takes back the mark, the number of the last entry that the
 * state has; the object that wakes with a mark behind its log adds an entry that says so.
 */
import { hash } from 'node:crypto';
import { Conditions } from '../context/tables/conditions.ts';
import type { Actor, Change } from '../context/handler.ts';
import { auditCheckBytesMax, auditCheckMax } from '../context/limits.ts';
import type { Sql } from '../context/tables/sql.ts';

export const auditTables = [
  `CREATE TABLE IF NOT EXISTS audit (
    sequence INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    operation TEXT NOT NULL,
    actor TEXT NOT NULL,
    resource TEXT NOT NULL,
    resource_id TEXT NOT NULL,
    before TEXT,
    after TEXT,
    hash TEXT NOT NULL
  )`,
  `CREATE TRIGGER IF NOT EXISTS audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
  `CREATE TRIGGER IF NOT EXISTS audit_is_not_deleted BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
  'CREATE TABLE IF NOT EXISTS audit_mark (one INTEGER PRIMARY KEY CHECK (one = 1), sequence INTEGER NOT NULL)',
];

/** What stays in the database of a zone that was deleted. */
export const auditTableNames = ['audit', 'audit_mark'];

export interface AuditEntry {
  readonly sequence: number;
  readonly atMs: number;
  readonly operation: string;
  readonly actor: Actor;
  readonly resource: string;
  readonly resourceId: string;
  /** JSON, or null if there was or is nothing. */
  readonly before: string | null;
  readonly after: string | null;
  readonly hash: string;
}

/** An entry as it is shown to people. */
export interface ShownEntry extends AuditEntry {
  /** A value was too long: it was truncated, ends with an ellipsis and is not valid JSON. */
  readonly isShortened: boolean;
}

/** The position of an entry in the chain. */
export interface Link {
  readonly sequence: number;
  readonly hash: string;
}

/** The start of the chain, before the first entry. */
export const chainOrigin: Link = { sequence: 0, hash: '0'.repeat(64) };

/** A state of the object that is older than its log. */
export interface Rewind {
  /** The entries of the log. */
  readonly entries: number;
  /** How many of them the state has; null if it is from before that was noted. */
  readonly entriesOfState: number | null;
}

/** The end of a log, for whoever knows an earlier one. */
export interface AuditEnd {
  readonly last: Link;
  /** Whether the log has the entry that was known. */
  readonly hasKnown: boolean;
  /** The entries after the known one that say that the object was put back, oldest first. */
  readonly rewinds: readonly AuditEntry[];
}

export type AuditAction = 'add' | 'change' | 'delete';

export interface AuditQuery {
  /** A prefix of the entry's hash. */
  readonly id?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly beforeMs?: number | undefined;
  readonly action?: AuditAction | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
  readonly direction: 'asc' | 'desc';
  readonly limit: number;
}

export interface AuditKeys {
  /** The number of entries that match. */
  readonly total: number;
  /** The first matching entries, in the requested order. */
  readonly keys: readonly { readonly sequence: number; readonly atMs: number }[];
}

/** The progress of a check. */
export interface AuditCheck {
  readonly last: Link;
  /** The first entry whose hash is wrong. */
  readonly brokenSequence: number | undefined;
  readonly isDone: boolean;
}

interface AuditRow extends Record<string, string | number | null> {
  sequence: number;
  at_ms: number;
  operation: string;
  actor: string;
  resource: string;
  resource_id: string;
  before: string | null;
  after: string | null;
  hash: string;
}

export class AuditTrail {
  readonly #sql: Sql;
  #last: Link | undefined;
  /** The entry that the table of the mark has. */
  #marked: number | undefined;
  /** The actor of the last entry and its JSON: the entries of one call have the same. */
  #actor: Actor | undefined;
  #actorText = '';

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  append(
    change: Change,
    by: { readonly actor: Actor; readonly operation: string; readonly atMs: number },
  ): void {
    const { last } = this;
    if (by.actor !== this.#actor) {
      this.#actor = by.actor;
      this.#actorText = JSON.stringify(by.actor);
    }
    const row = {
      sequence: last.sequence + 1,
      at_ms: by.atMs,
      operation: by.operation,
      actor: this.#actorText,
      resource: change.resource,
      resource_id: change.id,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    };
    const hash = hashRow(last.hash, row);
    this.#sql.exec(
      'INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      row.sequence,
      row.at_ms,
      row.operation,
      row.actor,
      row.resource,
      row.resource_id,
      row.before,
      row.after,
      hash,
    );
    this.#last = { sequence: row.sequence, hash };
  }

  /** Called after a rollback, when the remembered link may not be in the table. */
  forget(): void {
    this.#last = undefined;
    this.#marked = undefined;
  }

  /** Notes in the state which entry is its last; to be called at the end of a transaction. */
  mark(): void {
    const { sequence } = this.last;
    if (sequence === this.#marked) return;
    this.#sql.exec(
      'INSERT INTO audit_mark VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET sequence = excluded.sequence',
      sequence,
    );
    this.#marked = sequence;
  }

  /** Undefined if the state is that of the last entry. `isNew` says that the object has never had a mark. */
  findRewind({ isNew }: { readonly isNew: boolean }): Rewind | undefined {
    const [row] = this.#sql.exec<{ sequence: number }>('SELECT sequence FROM audit_mark');
    const { sequence: entries } = this.last;
    if (row === undefined) return isNew ? undefined : { entries, entriesOfState: null };
    this.#marked = row.sequence;
    return row.sequence === entries ? undefined : { entries, entriesOfState: row.sequence };
  }

  readEnd(known: Link, rewindOperation: string): AuditEnd {
    const [row] = this.#sql.exec<{ hash: string }>(
      'SELECT hash FROM audit WHERE sequence = ?',
      known.sequence,
    );
    const rewinds = this.#sql.exec<AuditRow>(
      'SELECT * FROM audit WHERE sequence > ? AND operation = ? ORDER BY sequence LIMIT ?',
      known.sequence,
      rewindOperation,
      auditCheckMax,
    );
    return {
      last: this.last,
      hasKnown: (row?.hash ?? chainOrigin.hash) === known.hash,
      rewinds: Array.from(rewinds, toEntry),
    };
  }

  readKeys(query: AuditQuery): AuditKeys {
    const { where, values } = toConditions(query);
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM audit ${where}`, ...values)
      .one();
    const order = query.direction === 'asc' ? 'ASC' : 'DESC';
    const rows = this.#sql.exec<{ sequence: number; atMs: number }>(
      `SELECT sequence, at_ms AS atMs FROM audit ${where} ORDER BY sequence ${order} LIMIT ?`,
      ...values,
      query.limit,
    );
    return { total, keys: [...rows] };
  }

  /** A value can have megabytes; only the beginning of a longer value is read. */
  readEntries(sequences: readonly number[], valueCharactersMax: number): ShownEntry[] {
    const rows = this.#sql.exec<AuditRow & { shortened: number }>(
      `SELECT sequence, at_ms, operation, actor, resource, resource_id, hash,
        iif(length(before) > ?2, substr(before, 1, ?2) || '…', before) AS before,
        iif(length(after) > ?2, substr(after, 1, ?2) || '…', after) AS after,
        max(ifnull(length(before), 0), ifnull(length(after), 0)) > ?2 AS shortened
      FROM audit WHERE sequence IN (SELECT value FROM json_each(?1)) ORDER BY sequence`,
      JSON.stringify(sequences),
      valueCharactersMax,
    );
    return Array.from(rows, (row) => ({ ...toEntry(row), isShortened: row.shortened !== 0 }));
  }

  /**
   * Recomputes the hashes of some entries after `after`; the caller calls again with the last one until the check is done.
   */
  check(after: Link): AuditCheck {
    const rows = this.#sql.exec<AuditRow>(
      'SELECT * FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?',
      after.sequence,
      auditCheckMax,
    );
    let last = after;
    let count = 0;
    let bytes = 0;
    for (const row of rows) {
      if (bytes > auditCheckBytesMax) return { last, brokenSequence: undefined, isDone: false };
      const { sequence, hash, before, after } = row;
      const isRight = sequence === last.sequence + 1 && hash === hashRow(last.hash, row);
      if (!isRight) return { last, brokenSequence: last.sequence + 1, isDone: true };
      last = { sequence, hash };
      count++;
      bytes += (before?.length ?? 0) + (after?.length ?? 0);
    }
    return { last, brokenSequence: undefined, isDone: count < auditCheckMax };
  }

  /** The newest entry. */
  get last(): Link {
    if (this.#last !== undefined) return this.#last;
    const [row] = this.#sql.exec<{ sequence: number; hash: string }>(
      'SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1',
    );
    return (this.#last = row ?? chainOrigin);
  }
}

function toConditions(query: AuditQuery): Conditions {
  const conditions = new Conditions()
    .add('substr(hash, 1, 32) = ?', query.id)
    .add('at_ms >= ?', query.sinceMs)
    .add('at_ms < ?', query.beforeMs)
    .add("json_extract(actor, '$.email') = ? COLLATE NOCASE", query.email)
    .add("json_extract(actor, '$.address') = ?", query.address);
  return query.action === undefined ? conditions : conditions.addFixed(actionConditions[query.action]);
}

const actionConditions: Readonly<Record<AuditAction, string>> = {
  add: 'before IS NULL',
  change: 'before IS NOT NULL AND after IS NOT NULL',
  delete: 'after IS NULL',
};

function toEntry(row: AuditRow): AuditEntry {
  return {
    sequence: row.sequence,
    atMs: row.at_ms,
    operation: row.operation,
    actor: JSON.parse(row.actor) as Actor,
    resource: row.resource,
    resourceId: row.resource_id,
    before: row.before,
    after: row.after,
    hash: row.hash,
  };
}

/** Covers the entry as JSON. The actor is JSON already; the values are, too, and stand in it as strings. */
function hashRow(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const { sequence, at_ms, operation, actor, resource, resource_id, before, after } = row;
  return hash(
    'sha256',
    `${previous}{"sequence":${sequence},"atMs":${at_ms},"operation":${JSON.stringify(operation)},` +
      `"actor":${actor},"resource":${JSON.stringify(resource)},"resourceId":${JSON.stringify(resource_id)},` +
      `"before":${JSON.stringify(before)},"after":${JSON.stringify(after)}}`,
  );
}
