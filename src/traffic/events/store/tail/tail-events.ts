/** Events of one zone that are in the tail and not in a block yet. */
import type { Position } from '#journal';
import { dictionaryTextBytesMax } from '../limits.ts';
import { type Dictionary, keepLast } from './tail-frame.ts';
import { measureEvent, type StoredEvent } from '../stored-event.ts';

export class TailEvents {
  readonly zoneId: string;
  /** The position of its first frame in the tail, which must be kept from there on. */
  readonly position: Position;
  readonly sinceMs: number;
  readonly rows: StoredEvent[] = [];
  /** Including those of events that are not durable yet. */
  readonly ids = new Set<string>();
  #dictionary: Dictionary | undefined;
  /** Approximate memory of the rows: a shared explanation counts once. */
  bytes = 0;

  constructor(zoneId: string, position: Position, sinceMs: number) {
    this.zoneId = zoneId;
    this.position = position;
    this.sinceMs = sinceMs;
  }

  /** The dictionary for the next frame. The first frame has none, and a large one gains little from it. */
  dictionaryFor(firstSequence: number, textBytes: number): Dictionary {
    const none = { bytes: Buffer.alloc(0), start: firstSequence, end: firstSequence };
    return textBytes > dictionaryTextBytesMax ? none : (this.#dictionary ?? none);
  }

  /** Called when the events of a frame are on disk. Returns their size in memory. */
  add(rows: readonly StoredEvent[], text: Buffer): number {
    const before = this.bytes;
    let judged = this.rows.at(-1)?.judged;
    for (const row of rows) {
      this.rows.push(row);
      this.bytes += measureEvent(row.event);
      if (row.judged !== null && row.judged !== judged) this.bytes += row.judged.length;
      judged = row.judged;
    }
    const { bytes, start } = this.#dictionary ?? { bytes: Buffer.alloc(0), start: rows[0]!.sequence };
    this.#dictionary = { bytes: keepLast(bytes, text), start, end: rows.at(-1)!.sequence + 1 };
    return this.bytes - before;
  }
}
