/**
 * Every change of an object, in its own database and in the same transaction: who, when, what, before and after. Each
 * entry's hash covers the entry and the hash before it, so an entry cannot be changed, removed or inserted without
 * invalidating every later hash. Removal of the last entries is detected in the account, which has the newest hash of
 * each log (`anchors.ts`). The database itself refuses to change or delete an entry, and the rows outlive
 * the zone they describe.
 *
 * A restore of the object removes no entry (`keepTables`). It does restore the mark, the number of the state's last
 * entry; an object that wakes with a mark behind its log adds an entry about the restore.
 */
import { hash } from 'node:crypto';
import type { Actor, Change } from '../../context/handler.ts';
import { auditCheckBytesMax, auditCheckMax } from '../../context/limits.ts';
import { nullable, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type QueryOf, type RowOf, Table } from '../../context/tables/table.ts';

const table = new Table('audit', {
  key: ['sequence'],
  columns: {
    sequence: whole(),
    atMs: whole(),
    operation: text(),
    /** JSON. */
    actor: text(),
    resource: text(),
    resourceId: text(),
    /** JSON, or null if nothing existed before or exists after. */
    before: nullable(text()),
    after: nullable(text()),
    hash: text(),
  },
  attached: [
    `CREATE TRIGGER IF NOT EXISTS audit_is_not_changed BEFORE UPDATE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
    `CREATE TRIGGER IF NOT EXISTS audit_is_not_deleted BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END`,
  ],
  filters: {
    id: 'substr(hash, 1, 32) = ?',
    sinceMs: 'at_ms >= ?',
    beforeMs: 'at_ms < ?',
    email: "json_extract(actor, '$.email') = ? COLLATE NOCASE",
    resourceId: 'resource_id = ?',
    address: "json_extract(actor, '$.address') = ?",
    action: {
      add: 'before IS NULL',
      change: 'before IS NOT NULL AND after IS NOT NULL',
      delete: 'after IS NULL',
    },
  },
});
const markTable = new Table('audit_mark', { key: [], columns: { sequence: whole() } });

export const auditTables = [table, markTable];

/** The tables that remain in the database of a deleted zone. */
export const auditTableNames = auditTables.map(({ name }) => name);

type AuditRow = RowOf<typeof table>;

export interface AuditEntry extends Omit<AuditRow, 'actor'> {
  readonly actor: Actor;
}

/** An entry as people see it. */
export interface ShownEntry extends AuditEntry {
  /** A value was too long: it is truncated, ends with an ellipsis and is not valid JSON. */
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
  /** The number of entries that the state has; null if it is older than the mark. */
  readonly entriesOfState: number | null;
}

/** The end of a log, for a reader that knows an earlier one. */
export interface AuditEnd {
  readonly last: Link;
  /** Whether the log has the entry that the reader knows. */
  readonly hasKnown: boolean;
  /** The entries after the known one that record a restore of the object, oldest first. */
  readonly rewinds: readonly AuditEntry[];
}

export type AuditAction = NonNullable<Exclude<AuditFilters['action'], boolean>>;
type AuditFilters = QueryOf<typeof table>;

/** `id` is a prefix of the entry's hash. */
export interface AuditQuery extends AuditFilters {
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

export class AuditTrail {
  readonly #sql: Sql;
  #last: Link | undefined;
  /** The entry that is stored as the mark. */
  #marked: number | undefined;
  /** The actor of the last entry and its JSON: the entries of one call share them. */
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
      atMs: by.atMs,
      operation: by.operation,
      actor: this.#actorText,
      resource: change.resource,
      resourceId: change.id,
      before: change.before === undefined ? null : JSON.stringify(change.before),
      after: change.after === undefined ? null : JSON.stringify(change.after),
    };
    const hash = hashRow(last.hash, row);
    table.insert(this.#sql, { ...row, hash });
    this.#last = { sequence: row.sequence, hash };
  }

  /** Called after a rollback, when the cached link may not be in the table. */
  forget(): void {
    this.#last = undefined;
    this.#marked = undefined;
  }

  /** Stores the mark of the last entry in the state; must be called at the end of a transaction. */
  mark(): void {
    const { sequence } = this.last;
    if (sequence === this.#marked) return;
    markTable.put(this.#sql, { sequence });
    this.#marked = sequence;
  }

  /** Undefined if the state is that of the last entry. `isNew` means that the object has never had a mark. */
  findRewind({ isNew }: { readonly isNew: boolean }): Rewind | undefined {
    const row = markTable.get(this.#sql);
    const { sequence: entries } = this.last;
    if (row === undefined) return isNew ? undefined : { entries, entriesOfState: null };
    this.#marked = row.sequence;
    return row.sequence === entries ? undefined : { entries, entriesOfState: row.sequence };
  }

  readEnd(known: Link, rewindOperation: string): AuditEnd {
    const [hash] = table.pick(this.#sql, 'hash', 'WHERE sequence = ?', known.sequence);
    const rest = 'WHERE sequence > ? AND operation = ? ORDER BY sequence LIMIT ?';
    const rewinds = table.select(this.#sql, rest, known.sequence, rewindOperation, auditCheckMax);
    return {
      last: this.last,
      hasKnown: (hash ?? chainOrigin.hash) === known.hash,
      rewinds: rewinds.map(toEntry),
    };
  }

  readKeys(query: AuditQuery): AuditKeys {
    const { where, values } = table.toConditions(query);
    const order = query.direction === 'asc' ? 'ASC' : 'DESC';
    const rows = this.#sql.exec<{ sequence: number; atMs: number }>(
      `SELECT sequence, at_ms AS atMs FROM audit ${where} ORDER BY sequence ${order} LIMIT ?`,
      ...values,
      query.limit,
    );
    return { total: table.count(this.#sql, where, ...values), keys: [...rows] };
  }

  /** A value can have megabytes; only the start of a longer value is read. */
  readEntries(sequences: readonly number[], valueCharactersMax: number): ShownEntry[] {
    const rows = this.#sql.exec<Record<string, string | number | null>>(
      `SELECT sequence, at_ms, operation, actor, resource, resource_id, hash,
        iif(length(before) > ?2, substr(before, 1, ?2) || '…', before) AS before,
        iif(length(after) > ?2, substr(after, 1, ?2) || '…', after) AS after,
        max(ifnull(length(before), 0), ifnull(length(after), 0)) > ?2 AS shortened
      FROM audit WHERE sequence IN (SELECT value FROM json_each(?1)) ORDER BY sequence`,
      JSON.stringify(sequences),
      valueCharactersMax,
    );
    return Array.from(rows, (row) => ({
      ...toEntry(table.read(row)),
      isShortened: row['shortened'] !== 0,
    }));
  }

  /**
   * Recomputes the hashes of some entries after `after`; the caller calls again with the last one until the check is done.
   */
  check(after: Link): AuditCheck {
    const rows = this.#sql.exec<Record<string, string | number | null>>(
      'SELECT * FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?',
      after.sequence,
      auditCheckMax,
    );
    let last = after;
    let count = 0;
    let bytes = 0;
    for (const stored of rows) {
      if (bytes > auditCheckBytesMax) return { last, brokenSequence: undefined, isDone: false };
      const row = table.read(stored);
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

function toEntry(row: AuditRow): AuditEntry {
  return { ...row, actor: JSON.parse(row.actor) as Actor };
}

/** Covers the entry as JSON. The actor and the values are already JSON, and are included as strings. */
function hashRow(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const { sequence, atMs, operation, actor, resource, resourceId, before, after } = row;
  return hash(
    'sha256',
    `${previous}{"sequence":${sequence},"atMs":${atMs},"operation":${JSON.stringify(operation)},` +
      `"actor":${actor},"resource":${JSON.stringify(resource)},"resourceId":${JSON.stringify(resourceId)},` +
      `"before":${JSON.stringify(before)},"after":${JSON.stringify(after)}}`,
  );
}
