/**
 * The activity log of one zone of a cluster, and the counts of its requests, as an object of its own, named after the
 * zone: every host records and reads through the host that has the object. The events are in a log of the database
 * (room `events`), the counts are rows of the object.
 */
import {
  addCounts,
  createCounts,
  type EventGroups,
  type EventPage,
  type EventRange,
  type EventStore,
  type FindOptions,
  type GroupOptions,
  type LaterEvents,
  minutesKeptMs,
  type RecordedEvent,
  type SecurityEvent,
  type DatabaseLogs,
  type TrafficRow,
} from '#events';
import type { DurableObjectState } from '#objects';
import type { ControlEnvironment } from '../context/environment.ts';
import { activityHousekeepingMs, oldRowsMovedAtOnce, tailEventsMax } from '../context/limits.ts';
import { createMissing } from '../context/tables/create-missing.ts';
import { LocatedObject } from './located-object.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;

export const activityTables = [
  `CREATE TABLE IF NOT EXISTS traffic (
    unit_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    counts TEXT NOT NULL,
    PRIMARY KEY (unit_ms, at_ms)
  ) WITHOUT ROWID`,
];

/** Earlier versions stored events as rows of the object. */
export const oldEventTable = 'events';

interface OldRow extends Record<string, string | number | null> {
  sequence: number;
  at_ms: number;
  expires_ms: number;
  document: string;
  judged: string | null;
}

export interface TrafficSpans {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly intervalMs: number;
}

export class ActivityLog extends LocatedObject {
  readonly #zoneId: string;
  readonly #logs: DatabaseLogs;
  #moving: Promise<void> | undefined;

  constructor(ctx: DurableObjectState, env: ControlEnvironment & { readonly logs: DatabaseLogs }) {
    super(ctx, env);
    this.#zoneId = ctx.id.name!;
    this.#logs = env.logs;
    // Another host may have had the zone in the meantime.
    this.#logs.forget(this.#zoneId);
    createMissing(ctx.storage.sql, activityTables);
  }

  /** An event that is sent again is stored once; an expired event is not stored. */
  async append(recorded: readonly RecordedEvent[], keptMs: number): Promise<void> {
    await this.#use((store) => store.append(this.#zoneId, recorded, keptMs));
    await this.#keepHouse();
  }

  find(range: EventRange, options: FindOptions): Promise<EventPage> {
    return this.#use((store) => store.find(this.#zoneId, range, options));
  }

  groupEach(range: EventRange, options: readonly GroupOptions[]): Promise<EventGroups[]> {
    return this.#use((store) => store.groupEach(this.#zoneId, range, options));
  }

  get(id: string): ReturnType<EventStore['get']> {
    return this.#use((store) => store.get(this.#zoneId, id));
  }

  /** The events recorded after a sequence; without a sequence, only the newest one. */
  readLater(after: number | undefined): Promise<LaterEvents> {
    return this.#use((store) => store.readLater(this.#zoneId, after, tailEventsMax));
  }

  /** Adds counts of minutes to the stored ones. */
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
    await this.#use((store) => store.erase(this.#zoneId));
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    // This instance may be called again.
    createMissing(this.ctx.storage.sql, activityTables);
  }

  /** Removes expired rows, and sums minutes up to hours. */
  async alarm(): Promise<void> {
    await this.#use((store) => store.housekeep());
    const { sql } = this.ctx.storage;
    const nowMs = Date.now();
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

  async #use<Result>(work: (store: EventStore) => Promise<Result>): Promise<Result> {
    this.#moving ??= this.#moveOldRows();
    try {
      await this.#moving;
    } catch (error) {
      this.#moving = undefined;
      throw error;
    }
    return await this.#logs.use(this.#zoneId, work);
  }

  /**
   * Rows are deleted once the log has their events. If that is interrupted, an event that is moved twice is stored
   * once.
   */
  async #moveOldRows(): Promise<void> {
    const { sql } = this.ctx.storage;
    const [table] = sql.exec('SELECT 1 FROM sqlite_schema WHERE name = ?', oldEventTable);
    if (table === undefined) return;
    for (;;) {
      const rows = sql
        .exec<OldRow>(`SELECT * FROM ${oldEventTable} ORDER BY sequence LIMIT ?`, oldRowsMovedAtOnce)
        .toArray();
      if (rows.length === 0) break;
      const byRetention = Map.groupBy(rows, (row) => row.expires_ms - row.at_ms);
      await this.#logs.use(this.#zoneId, async (store) => {
        for (const [keptMs, some] of byRetention)
          await store.append(this.#zoneId, some.map(toRecorded), keptMs);
      });
      sql.exec(`DELETE FROM ${oldEventTable} WHERE sequence <= ?`, rows.at(-1)!.sequence);
    }
    sql.exec(`DROP TABLE ${oldEventTable}`);
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

  /** An empty log has no alarm, and so takes no space. */
  async #keepHouse(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    const [row] = this.ctx.storage.sql.exec('SELECT 1 FROM traffic LIMIT 1');
    const isEmpty = row === undefined && (await this.#use(async (store) => store.isEmpty));
    if (!isEmpty) await this.ctx.storage.setAlarm(Date.now() + activityHousekeepingMs);
  }
}

function toRecorded({ document, judged }: OldRow): RecordedEvent {
  const event = JSON.parse(document) as SecurityEvent;
  return judged === null ? { event } : { event, judged };
}
