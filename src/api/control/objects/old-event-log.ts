/**
 * The activity log of one zone in the format of version 0.1.0: rows in an object of its own. Its events are moved to
 * the event store when a data directory of that version is opened; nothing is written to it any more.
 */
import { type RecordedEvent, unpackEvent } from '#events';
import { LocatedObject } from './located-object.ts';

interface OldRow extends Record<string, string | number | null> {
  sequence: number;
  document: string;
  judged: string | null;
}

export interface OldEvents {
  readonly events: readonly RecordedEvent[];
  /** The position to continue after; undefined if there are no more. */
  readonly last: number | undefined;
  readonly retentionMs: number;
}

/** Events that are moved at a time. */
const rowsPerPage = 1_000;

export class OldEventLog extends LocatedObject {
  /** The next events after a sequence, in the order in which they were recorded. */
  read(after: number): OldEvents {
    const { sql } = this.ctx.storage;
    const hasTables = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'events'").toArray().length > 0;
    if (!hasTables) return { events: [], last: undefined, retentionMs: 0 };
    const rows = sql
      .exec<OldRow>(
        'SELECT sequence, document, judged FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
        after,
        rowsPerPage,
      )
      .toArray();
    const [retention] = sql.exec<{ ms: number }>('SELECT ms FROM retention');
    const events = rows.map(({ document, judged }) => ({
      event: unpackEvent(document),
      ...(judged === null ? {} : { judged }),
    }));
    return { events, last: rows.at(-1)?.sequence, retentionMs: retention?.ms ?? 0 };
  }

  /** Called when its events are in the store, or its zone was deleted. */
  async clear(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  /** An alarm that was set before the log was moved; `clear` removes it. */
  alarm(): void {}
}
