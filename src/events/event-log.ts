/**
 * The activity log of one zone. It is an object of its own, so that traffic never waits for configuration, nor the other way
 * round. Events are appended in batches and read by scanning a time range, a few milliseconds at a time, with turns for
 * other calls in between; a scan shows what exists when it gets there.
 *
 * - An event is stored once, even if it is sent again.
 * - The events of one request share one explanation, which is stored with one of them.
 * - Events are deleted when they are older than the retention of the zone's plan, which comes with each batch. A log without
 *   events has no alarm.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DurableObject, type DurableObjectState } from '#objects';
import { compileCondition, type Condition, type EventTest } from './condition.ts';
import type { SecurityEvent } from './event.ts';
import { type EventGroups, GroupCounter, type GroupOptions } from './groups.ts';
import type { Judged } from './judged/judged.ts';
import { expireRowsPerTurn, findRowsMax, groupRowsMax, pageEventsMax, scanRowsPerTurn } from './limits.ts';
import { type PackedEvent, unpackEvent } from './packed-event.ts';

export interface EventRange {
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly condition?: Condition;
}

/** A position in the log, whether or not the event there still exists. */
export interface EventCursor {
  readonly atMs: number;
  readonly sequence: number;
}

export interface EventPage {
  /** The events in packed form. */
  readonly documents: readonly string[];
  /** Where to continue; undefined if there are no more. A page with a cursor may be shorter than requested, even empty. */
  readonly cursor?: EventCursor;
}

export interface FindOptions {
  readonly limit: number;
  readonly order: 'newest' | 'oldest';
  readonly cursor?: EventCursor;
}

interface Scan extends Pick<FindOptions, 'order'> {
  readonly cursor: EventCursor | undefined;
  readonly rowsPerTurn: number;
}

interface Row extends Record<string, string | number | null> {
  sequence: number;
  at_ms: number;
  document: string;
}

const tables = [
  `CREATE TABLE IF NOT EXISTS events (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at_ms INTEGER NOT NULL,
    document TEXT NOT NULL,
    judged TEXT
  )`,
  'CREATE INDEX IF NOT EXISTS events_by_time ON events (at_ms, sequence)',
  'CREATE TABLE IF NOT EXISTS retention (one INTEGER PRIMARY KEY CHECK (one = 1), ms INTEGER NOT NULL)',
];

/** How long after their retention events may be deleted. */
const expiryDelayMsMax = 3_600_000;

export class EventLog extends DurableObject {
  #retentionMs: number | undefined;
  #hasAlarm = false;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    for (const table of tables) ctx.storage.sql.exec(table);
  }

  async append(events: readonly PackedEvent[], retentionMs: number): Promise<void> {
    const { sql } = this.ctx.storage;
    for (const { id, atMs, document, judged } of events) {
      sql.exec(
        'INSERT OR IGNORE INTO events (id, at_ms, document, judged) VALUES (?, ?, ?, ?)',
        id,
        atMs,
        document,
        judged,
      );
    }
    await this.#retain(retentionMs);
  }

  get(id: string): { readonly event: SecurityEvent; readonly judged: Judged | undefined } | undefined {
    const [row] = this.ctx.storage.sql.exec<{ document: string }>(
      'SELECT document FROM events WHERE id = ?',
      id,
    );
    if (row === undefined) return undefined;
    const event = unpackEvent(row.document);
    return { event, judged: this.#findJudged(event) };
  }

  async find(range: EventRange, { limit, order, cursor }: FindOptions): Promise<EventPage> {
    const documents: string[] = [];
    const wanted = Math.min(limit, pageEventsMax);
    const isMatch = compileTestOf(range);
    let scanned = 0;
    const rowsPerTurn = range.condition === undefined ? Math.min(wanted, scanRowsPerTurn) : scanRowsPerTurn;
    for await (const rows of this.#scan(range, { order, cursor, rowsPerTurn })) {
      for (const row of rows) {
        if (isMatch !== undefined && !isMatch(unpackEvent(row.document))) continue;
        documents.push(row.document);
        if (documents.length === wanted) return { documents, cursor: toCursor(row) };
      }
      scanned += rows.length;
      if (scanned >= findRowsMax) return { documents, cursor: toCursor(rows.at(-1)!) };
    }
    return { documents };
  }

  async group(range: EventRange, options: GroupOptions): Promise<EventGroups> {
    const counter = new GroupCounter(options);
    const isMatch = compileTestOf(range);
    let scanned = 0;
    for await (const rows of this.#scan(range, {
      order: 'newest',
      cursor: undefined,
      rowsPerTurn: scanRowsPerTurn,
    })) {
      for (const row of rows) {
        const event = unpackEvent(row.document);
        if (isMatch === undefined || isMatch(event)) counter.add(event, row.at_ms);
      }
      scanned += rows.length;
      if (scanned >= groupRowsMax) return counter.getResult(false);
    }
    return counter.getResult(true);
  }

  async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const retentionMs = this.#readRetention();
    if (retentionMs === undefined) return;
    const { sql } = this.ctx.storage;
    const before = Date.now() - retentionMs;
    for (let isMore = true; isMore;) {
      sql.exec(
        'DELETE FROM events WHERE sequence IN (SELECT sequence FROM events WHERE at_ms < ? ORDER BY at_ms LIMIT ?)',
        before,
        expireRowsPerTurn,
      );
      isMore = Array.from(sql.exec('SELECT 1 FROM events WHERE at_ms < ? LIMIT 1', before)).length > 0;
      await nextTurn();
    }
    if (Array.from(sql.exec('SELECT 1 FROM events LIMIT 1')).length > 0) await this.#setAlarm(retentionMs);
  }

  /** Called when the zone was deleted. */
  async erase(): Promise<void> {
    const { storage } = this.ctx;
    storage.sql.exec('DELETE FROM events');
    this.#hasAlarm = false;
    await storage.deleteAlarm();
  }

  async #retain(retentionMs: number): Promise<void> {
    const isSame = this.#readRetention() === retentionMs;
    if (!isSame) {
      this.#retentionMs = retentionMs;
      this.ctx.storage.sql.exec('INSERT OR REPLACE INTO retention VALUES (1, ?)', retentionMs);
    }
    if (isSame && this.#hasAlarm) return;
    this.#hasAlarm = true;
    if (!isSame || (await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(retentionMs);
  }

  #readRetention(): number | undefined {
    if (this.#retentionMs !== undefined) return this.#retentionMs;
    const [row] = this.ctx.storage.sql.exec<{ ms: number }>('SELECT ms FROM retention');
    return (this.#retentionMs = row?.ms);
  }

  #setAlarm(retentionMs: number): Promise<void> {
    this.#hasAlarm = true;
    return this.ctx.storage.setAlarm(Date.now() + Math.min(retentionMs / 10, expiryDelayMsMax));
  }

  /** The explanation, which is stored with one of the events of the request. */
  #findJudged({ rayName }: SecurityEvent): Judged | undefined {
    // `.` is the character after `-`: so these are all ids that begin with the ray id and a dash.
    const [row] = this.ctx.storage.sql.exec<{ judged: string }>(
      'SELECT judged FROM events WHERE id > ? AND id < ? AND judged IS NOT NULL LIMIT 1',
      `${rayName}-`,
      `${rayName}.`,
    );
    return row && (JSON.parse(row.judged) as Judged);
  }

  async *#scan(
    { sinceMs, untilMs }: EventRange,
    { order, cursor, rowsPerTurn }: Scan,
  ): AsyncGenerator<readonly Row[]> {
    const [comparison, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
    for (let last = cursor; ;) {
      const from = last === undefined ? '' : `AND (at_ms, sequence) ${comparison} (?, ?)`;
      const rows = this.ctx.storage.sql
        .exec<Row>(
          `SELECT sequence, at_ms, document FROM events WHERE at_ms >= ? AND at_ms < ? ${from}
           ORDER BY at_ms ${direction}, sequence ${direction} LIMIT ?`,
          sinceMs,
          untilMs,
          ...(last === undefined ? [] : [last.atMs, last.sequence]),
          rowsPerTurn,
        )
        .toArray();
      if (rows.length > 0) yield rows;
      if (rows.length < rowsPerTurn) return;
      last = toCursor(rows.at(-1)!);
      await nextTurn();
    }
  }
}

function compileTestOf({ condition }: EventRange): EventTest | undefined {
  return condition && compileCondition(condition);
}

function toCursor({ at_ms, sequence }: Row): EventCursor {
  return { atMs: at_ms, sequence };
}
