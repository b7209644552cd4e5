/**
 * The activity log of one zone, an object of its own so that traffic never waits for configuration nor the other way
 * round. Events are appended in batches and read by scanning a stretch of time, a few milliseconds at a time with a
 * turn for others in between; what a scan shows is what was there when it reached it.
 *
 * Events leave when they are older than the retention of the zone's plan, which comes with each batch.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DurableObject, type DurableObjectState } from '#objects';
import { compileCondition, type Condition } from './condition.ts';
import type { EventField, RecordedEvent, SecurityEvent } from './event.ts';
import type { Judged } from './judged.ts';
import { expireRowsPerTurn, groupsMax, pageEventsMax, scanRowsPerTurn } from './limits.ts';

export interface EventRange {
  /** Included. */
  readonly sinceMs: number;
  /** Excluded. */
  readonly untilMs: number;
  readonly condition?: Condition;
}

export interface EventPage {
  readonly events: readonly SecurityEvent[];
  /** Where to go on; absent when there is no more. */
  readonly cursor?: number;
}

export interface FindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: number;
}

export interface GroupOptions {
  /** What a group has in common. None: all events are one group. */
  readonly fields: readonly EventField[];
  /** Also groups by stretches of time of this length. */
  readonly bucketMs?: number;
  readonly limit: number;
}

export interface EventGroup {
  readonly count: number;
  readonly values: readonly (string | number)[];
  readonly bucketAtMs?: number;
}

interface Row extends Record<string, string | number | null> {
  sequence: number;
  at_ms: number;
  document: string;
}

const tables = [
  `CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL,
    document TEXT NOT NULL,
    judged TEXT
  )`,
  'CREATE INDEX IF NOT EXISTS events_by_time ON events (at_ms, sequence)',
  'CREATE TABLE IF NOT EXISTS retention (one INTEGER PRIMARY KEY CHECK (one = 1), ms INTEGER NOT NULL)',
];

export class EventLog extends DurableObject {
  #retentionMs: number | undefined;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    for (const table of tables) ctx.storage.sql.exec(table);
  }

  append(events: readonly RecordedEvent[], retentionMs: number): void {
    const { sql } = this.ctx.storage;
    for (const { event, judged } of events) {
      sql.exec(
        'INSERT OR IGNORE INTO events (id, at_ms, document, judged) VALUES (?, ?, ?, ?)',
        event.id,
        Date.parse(event.datetime),
        JSON.stringify(event),
        judged === undefined ? null : JSON.stringify(judged),
      );
    }
    this.#retain(retentionMs);
  }

  get(id: string): { readonly event: SecurityEvent; readonly judged: Judged | undefined } | undefined {
    const [row] = this.ctx.storage.sql.exec<{ document: string; judged: string | null }>(
      'SELECT document, judged FROM events WHERE id = ?',
      id,
    );
    return (
      row && {
        event: JSON.parse(row.document) as SecurityEvent,
        judged: row.judged === null ? undefined : (JSON.parse(row.judged) as Judged),
      }
    );
  }

  async find(range: EventRange, { limit, order, cursor }: FindOptions): Promise<EventPage> {
    const events: SecurityEvent[] = [];
    const wanted = Math.min(limit, pageEventsMax);
    for await (const { sequence, event } of this.#scan(range, order, cursor)) {
      events.push(event);
      if (events.length === wanted) return { events, cursor: sequence };
    }
    return { events };
  }

  /** The largest groups first; with buckets, in the order of time. */
  async group(range: EventRange, { fields, bucketMs, limit }: GroupOptions): Promise<readonly EventGroup[]> {
    const groups = new Map<string, { count: number; values: (string | number)[]; bucketAtMs?: number }>();
    for await (const { event, atMs } of this.#scan(range, 'oldest')) {
      const values = fields.map((field) => event[field]);
      const bucketAtMs = bucketMs === undefined ? undefined : Math.floor(atMs / bucketMs) * bucketMs;
      const key = JSON.stringify([bucketAtMs, ...values]);
      const group = groups.get(key);
      if (group !== undefined) group.count += 1;
      else groups.set(key, { count: 1, values, ...(bucketAtMs === undefined ? {} : { bucketAtMs }) });
    }
    return [...groups.values()]
      .toSorted((a, b) => (a.bucketAtMs ?? 0) - (b.bucketAtMs ?? 0) || b.count - a.count)
      .slice(0, Math.min(limit, groupsMax));
  }

  async alarm(): Promise<void> {
    const retentionMs = this.#retention();
    if (retentionMs === undefined) return;
    const { sql } = this.ctx.storage;
    for (let isMore = true; isMore;) {
      const { rowsWritten } = sql.exec(
        'DELETE FROM events WHERE sequence IN (SELECT sequence FROM events WHERE at_ms < ? ORDER BY at_ms LIMIT ?)',
        Date.now() - retentionMs,
        expireRowsPerTurn,
      );
      isMore = rowsWritten >= expireRowsPerTurn;
      await nextTurn();
    }
    await this.#setAlarm(retentionMs);
  }

  #retain(retentionMs: number): void {
    if (this.#retention() === retentionMs) return;
    this.#retentionMs = retentionMs;
    this.ctx.storage.sql.exec('INSERT OR REPLACE INTO retention VALUES (1, ?)', retentionMs);
    void this.#setAlarm(retentionMs);
  }

  #retention(): number | undefined {
    if (this.#retentionMs !== undefined) return this.#retentionMs;
    const [row] = this.ctx.storage.sql.exec<{ ms: number }>('SELECT ms FROM retention');
    return (this.#retentionMs = row?.ms);
  }

  /** A tenth of the retention late at most, an hour at most. */
  #setAlarm(retentionMs: number): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + Math.min(retentionMs / 10, 3_600_000));
  }

  async *#scan(
    { sinceMs, untilMs, condition }: EventRange,
    order: FindOptions['order'],
    cursor?: number,
  ): AsyncGenerator<{ readonly sequence: number; readonly atMs: number; readonly event: SecurityEvent }> {
    const isMatch = condition === undefined ? () => true : compileCondition(condition);
    const [comparison, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
    let last = this.#place(cursor);
    for (;;) {
      const from = last === undefined ? '' : `AND (at_ms, sequence) ${comparison} (?, ?)`;
      const rows = this.ctx.storage.sql
        .exec<Row>(
          `SELECT sequence, at_ms, document FROM events WHERE at_ms >= ? AND at_ms < ? ${from}
           ORDER BY at_ms ${direction}, sequence ${direction} LIMIT ?`,
          sinceMs,
          untilMs,
          ...(last === undefined ? [] : [last.at_ms, last.sequence]),
          scanRowsPerTurn,
        )
        .toArray();
      for (const row of rows) {
        const event = JSON.parse(row.document) as SecurityEvent;
        if (isMatch(event)) yield { sequence: row.sequence, atMs: row.at_ms, event };
      }
      if (rows.length < scanRowsPerTurn) return;
      last = rows.at(-1);
      await nextTurn();
    }
  }

  /** A cursor names the last event of a page. */
  #place(cursor: number | undefined): Pick<Row, 'at_ms' | 'sequence'> | undefined {
    if (cursor === undefined) return undefined;
    const [row] = this.ctx.storage.sql.exec<Row>(
      'SELECT sequence, at_ms FROM events WHERE sequence = ?',
      cursor,
    );
    return row;
  }
}
