/**
 * The activity log of one zone of a cluster, and the counts of its requests: rows in an object of its own, named after the
 * zone, so that every host records and reads the same log. Reading a long log holds up nothing but this object; what
 * one question reads is bounded.
 */
import {
  addCounts,
  compileCondition,
  createCounts,
  type EventGroups,
  type EventPage,
  type EventRange,
  type FindOptions,
  GroupCounter,
  type GroupOptions,
  type Judged,
  minutesKeptMs,
  pageEventsMax,
  type RecordedEvent,
  type SecurityEvent,
  type TrafficRow,
} from '#events';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { createMissing } from '../context/tables/create-missing.ts';
import { activityHousekeepingMs, rowsReadMax, tailEventsMax } from '../context/limits.ts';
import { LocatedObject } from './located-object.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

export const activityTables = [
  `CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    ray TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    document TEXT NOT NULL,
    judged TEXT
  )`,
  'CREATE INDEX IF NOT EXISTS events_by_time ON events (at_ms, sequence)',
  'CREATE INDEX IF NOT EXISTS events_by_ray ON events (ray) WHERE judged IS NOT NULL',
  'CREATE INDEX IF NOT EXISTS events_by_expiry ON events (expires_ms)',
  `CREATE TABLE IF NOT EXISTS traffic (
    unit_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (unit_ms, at_ms)
  ) WITHOUT ROWID`,
];

export const insertEvent = `INSERT INTO events (id, ray, at_ms, expires_ms, document, judged) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO NOTHING`;

interface EventRow extends Record<string, string | number> {
  sequence: number;
  at_ms: number;
  document: string;
}

/** Events behind a sequence, for streams. */
export interface LaterEvents {
  readonly events: readonly SecurityEvent[];
  /** Where to continue. */
  readonly sequence: number;
}

export interface TrafficSpans {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly intervalMs: number;
}

export class ActivityLog extends LocatedObject {
  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env);
    createMissing(ctx.storage.sql, activityTables);
  }

  /** An event that is sent again is stored once; one that is too old, not at all. */
  async append(recorded: readonly RecordedEvent[], keptMs: number): Promise<void> {
    const { sql } = this.ctx.storage;
    const nowMs = Date.now();
    for (const { event, judged } of recorded) {
      const atMs = Date.parse(event.datetime);
      if (!(atMs + keptMs > nowMs)) continue;
      sql.exec(
        insertEvent,
        event.id,
        event.rayName,
        atMs,
        atMs + keptMs,
        JSON.stringify(event),
        judged ?? null,
      );
    }
    await this.#keepHouse();
  }

  find({ condition, ...range }: EventRange, { limit, order, cursor }: FindOptions): EventPage {
    const isWanted = condition === undefined ? () => true : compileCondition(condition);
    const wanted = Math.min(limit, pageEventsMax);
    const events: SecurityEvent[] = [];
    let read = 0;
    for (const { sequence, at_ms: atMs, document } of this.#scan(range, order, cursor)) {
      const event = JSON.parse(document) as SecurityEvent;
      if (isWanted(event)) events.push(event);
      if (events.length === wanted || ++read === rowsReadMax) return { events, cursor: { atMs, sequence } };
    }
    return { events };
  }

  group({ condition, ...range }: EventRange, options: GroupOptions): EventGroups {
    const isWanted = condition === undefined ? () => true : compileCondition(condition);
    const counter = new GroupCounter(options);
    let read = 0;
    for (const { at_ms: atMs, document } of this.#scan(range, 'newest')) {
      const event = JSON.parse(document) as SecurityEvent;
      if (isWanted(event)) counter.add(event, atMs);
      if (++read === rowsReadMax) return counter.getResult(false);
    }
    return counter.getResult(true);
  }

  get(id: string): { readonly event: SecurityEvent; readonly judged: Judged | undefined } | undefined {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ document: string }>('SELECT document FROM events WHERE id = ?', id);
    if (row === undefined) return undefined;
    const event = JSON.parse(row.document) as SecurityEvent;
    // The events of one request share one explanation, which is kept with one of them.
    const [explained] = sql.exec<{ judged: string }>(
      'SELECT judged FROM events WHERE ray = ? AND judged IS NOT NULL',
      event.rayName,
    );
    return { event, judged: explained && (JSON.parse(explained.judged) as Judged) };
  }

  /** What was recorded after a sequence; without one, nothing but the newest sequence. */
  readLater(after: number | undefined): LaterEvents {
    const { sql } = this.ctx.storage;
    if (after === undefined) {
      const [last] = sql.exec<{ sequence: number }>(
        'SELECT coalesce(max(sequence), 0) AS sequence FROM events',
      );
      return { events: [], sequence: last!.sequence };
    }
    const rows = sql
      .exec<EventRow>(
        'SELECT sequence, at_ms, document FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
        after,
        tailEventsMax,
      )
      .toArray();
    const events = rows.map(({ document }) => JSON.parse(document) as SecurityEvent);
    return { events, sequence: rows.at(-1)?.sequence ?? after };
  }

  /** Adds counts of minutes to those that are there. */
  async addTraffic(rows: readonly Pick<TrafficRow, 'minute' | 'counts'>[], keptMs: number): Promise<void> {
    for (const { minute, counts } of rows) {
      const atMs = minute * minuteMs;
      this.#addCounts(minuteMs, atMs, { expiresMs: atMs + keptMs, counts });
    }
    await this.#keepHouse();
  }

  readTraffic({ sinceMs, untilMs, intervalMs }: TrafficSpans): [startMs: number, counts: number[]][] {
    const spans = new Map<number, number[]>();
    const rows = this.ctx.storage.sql.exec<{ at_ms: number; counts: string }>(
      'SELECT at_ms, counts FROM traffic WHERE at_ms >= ? AND at_ms < ?',
      sinceMs,
      untilMs,
    );
    for (const { at_ms: atMs, counts } of rows) {
      const startMs = Math.floor(atMs / intervalMs) * intervalMs;
      const sum = spans.get(startMs) ?? createCounts();
      spans.set(startMs, sum);
      addCounts(sum, JSON.parse(counts) as number[]);
    }
    return [...spans];
  }

  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // This instance may be asked again.
    createMissing(this.ctx.storage.sql, activityTables);
  }

  /** Removes what is old, and adds minutes up to hours. */
  async alarm(): Promise<void> {
    const { sql } = this.ctx.storage;
    const nowMs = Date.now();
    sql.exec('DELETE FROM events WHERE expires_ms <= ?', nowMs);
    sql.exec('DELETE FROM traffic WHERE expires_ms <= ?', nowMs);
    const hour = Math.floor((nowMs - minutesKeptMs) / hourMs) * hourMs;
    const minutes = sql
      .exec<{ at_ms: number; expires_ms: number; counts: string }>(
        'SELECT at_ms, expires_ms, counts FROM traffic WHERE unit_ms = ? AND at_ms < ?',
        minuteMs,
        hour,
      )
      .toArray();
    for (const { at_ms: atMs, expires_ms: expiresMs, counts } of minutes) {
      const startMs = Math.floor(atMs / hourMs) * hourMs;
      this.#addCounts(hourMs, startMs, { expiresMs, counts: JSON.parse(counts) as number[] });
      sql.exec('DELETE FROM traffic WHERE unit_ms = ? AND at_ms = ?', minuteMs, atMs);
    }
    await this.#keepHouse();
  }

  #addCounts(unitMs: number, atMs: number, added: { expiresMs: number; counts: readonly number[] }): void {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ counts: string }>(
      'SELECT counts FROM traffic WHERE unit_ms = ? AND at_ms = ?',
      unitMs,
      atMs,
    );
    const sum = row === undefined ? createCounts() : (JSON.parse(row.counts) as number[]);
    addCounts(sum, added.counts);
    sql.exec(
      `INSERT INTO traffic VALUES (?, ?, ?, ?) ON CONFLICT (unit_ms, at_ms)
        DO UPDATE SET counts = excluded.counts, expires_ms = max(expires_ms, excluded.expires_ms)`,
      unitMs,
      atMs,
      added.expiresMs,
      JSON.stringify(sum),
    );
  }

  *#scan(
    { sinceMs, untilMs }: Pick<EventRange, 'sinceMs' | 'untilMs'>,
    order: FindOptions['order'],
    cursor?: FindOptions['cursor'],
  ): Generator<EventRow> {
    const isNewest = order === 'newest';
    const direction = isNewest ? 'DESC' : 'ASC';
    const behind = `AND (at_ms, sequence) ${isNewest ? '<' : '>'} (?, ?)`;
    yield* this.ctx.storage.sql.exec<EventRow>(
      `SELECT sequence, at_ms, document FROM events WHERE at_ms >= ? AND at_ms < ? AND expires_ms > ? ${cursor === undefined ? '' : behind}
        ORDER BY at_ms ${direction}, sequence ${direction}`,
      sinceMs,
      untilMs,
      Date.now(),
      ...(cursor === undefined ? [] : [cursor.atMs, cursor.sequence]),
    );
  }

  /** An empty log has no alarm, and so takes no space. */
  async #keepHouse(): Promise<void> {
    const { sql } = this.ctx.storage;
    const [row] = sql.exec<{ rows: number }>(
      'SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM traffic) AS rows',
    );
    if (row!.rows === 0 || (await this.ctx.storage.getAlarm()) !== null) return;
    await this.ctx.storage.setAlarm(Date.now() + activityHousekeepingMs);
  }
}
