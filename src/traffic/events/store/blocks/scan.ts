/**
 * Events of one zone in order of time, from any number of blocks with overlapping time ranges. Segments and blocks wait
 * in a heap by the first time that they could contribute, and are opened only when it is their turn: the first page of
 * a search opens the first blocks only. Events of equal time are in order of sequence.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Heap } from '#base';
import type { SecurityEvent } from '../../event.ts';
import { EventsDamageError } from '../errors.ts';
import type { Segment, StoredBlock } from '../home.ts';
import type { OpenBlock } from './open-block.ts';
import type { StoredEvent } from '../stored-event.ts';
import type { BlockTest } from './row-test.ts';
import type { Segments } from './segments.ts';

/** A position in the log, whether or not the event there still exists. */
export interface EventCursor {
  readonly atMs: number;
  readonly sequence: number;
}

export interface ScanOptions {
  readonly zoneId: string;
  /** Inclusive. */
  readonly sinceMs: number;
  /** Exclusive. */
  readonly untilMs: number;
  readonly order: 'newest' | 'oldest';
  /** Returns only the events after it. */
  readonly cursor?: EventCursor | undefined;
  readonly test?:
    | { readonly ofBlock: BlockTest; readonly ofEvent: (event: SecurityEvent) => boolean }
    | undefined;
  readonly onDamage: (damage: EventsDamageError) => void;
}

export interface FoundEvent extends EventCursor {
  readonly source: StoredEvent | { readonly block: StoredBlock; readonly row: number };
}

/** Some of the events, either pending ones or those of a block, and how many were examined. */
export type EventBatch = { readonly count: number } & (
  | { readonly kind: 'pending'; readonly events: readonly [number, SecurityEvent][] }
  | { readonly kind: 'block'; readonly block: OpenBlock | undefined; readonly rows: readonly number[] }
);

/** `scanned`: how many more events were examined; a search that stops here continues at that cursor. */
export type ScanStep =
  | { readonly kind: 'found'; readonly found: FoundEvent }
  | { readonly kind: 'scanned'; readonly count: number; readonly at: EventCursor };

/** Larger than any sequence; cursors have at most fifteen digits. */
const sequenceMax = 999_999_999_999_999;

type ScanEntry = { readonly atMs: number } & (
  | { readonly kind: 'segment'; readonly segment: Segment }
  | { readonly kind: 'block'; readonly block: StoredBlock }
  | { readonly kind: 'events'; readonly events: readonly FoundEvent[]; readonly next: number }
);

export class Scan {
  readonly #segments: Segments;
  readonly #options: ScanOptions;
  readonly #heap: Heap<ScanEntry>;
  /** The sequences of the pending events, which may be moved into blocks during the scan. */
  readonly #pending: ReadonlySet<number>;
  /** How many segments and blocks were requested. Reads ahead as far as the search has already come. */
  #segmentsAsked = 0;
  #blocksAsked = 0;

  /** `pending` are the zone's events that are not in blocks yet, in order of sequence. */
  constructor(segments: Segments, pending: readonly StoredEvent[], options: ScanOptions) {
    this.#segments = segments;
    this.#options = options;
    const sign = options.order === 'newest' ? 1 : -1;
    this.#heap = new Heap((a, b) => compareEntries(a, b, sign) < 0);
    this.#pending = new Set(pending.map(({ sequence }) => sequence));
    for (const segment of segments.all) {
      const { firstMs, lastMs, rows } = segment.summary;
      if (rows > 0 && this.#overlaps(firstMs, lastMs)) {
        this.#heap.push({ kind: 'segment', segment, atMs: sign > 0 ? lastMs : firstMs });
      }
    }
    this.#pushPending(pending);
  }

  async *steps(): AsyncGenerator<ScanStep> {
    for (let entry = this.#heap.pop(); entry !== undefined; entry = this.#heap.pop()) {
      switch (entry.kind) {
        case 'segment':
          await this.#pushBlocks(entry.segment);
          break;
        case 'block': {
          const { rows } = entry.block.head;
          const stored = entry.block;
          const found = await this.#tolerate(async () => {
            const block = await this.#open(stored);
            return block && this.#select(block, stored);
          });
          this.#pushEvents(found ?? [], 0);
          yield { kind: 'scanned', count: rows, at: this.#cursorBefore(entry.atMs) };
          await nextTurn();
          break;
        }
        case 'events':
          yield { kind: 'found', found: entry.events[entry.next]! };
          this.#pushEvents(entry.events, entry.next + 1);
          break;
      }
    }
  }

  /** The event; undefined if it has expired since, or is damaged. */
  async read({ source }: FoundEvent): Promise<SecurityEvent | undefined> {
    if ('event' in source) return source.event;
    return this.#tolerate(async () => (await this.#segments.open(source.block))?.event(source.row));
  }

  /** The same events in no order, block by block. */
  async *batches(): AsyncGenerator<EventBatch> {
    for (let entry = this.#heap.pop(); entry !== undefined; entry = this.#heap.pop()) {
      if (entry.kind === 'segment') await this.#pushBlocks(entry.segment);
      else if (entry.kind === 'events') yield readPending(entry.events);
      else {
        const stored = entry.block;
        const found = await this.#tolerate(async () => {
          const block = await this.#open(stored);
          return { block, rows: block === undefined ? [] : this.#selectRows(block) };
        });
        yield { kind: 'block', count: stored.head.rows, ...(found ?? { block: undefined, rows: [] }) };
        await nextTurn();
      }
    }
  }

  /** A search that continues here finds everything that was not yielded before a block with this time was opened. */
  #cursorBefore(atMs: number): EventCursor {
    return { atMs, sequence: this.#options.order === 'newest' ? sequenceMax : 0 };
  }

  #overlaps(firstMs: number, lastMs: number): boolean {
    const { sinceMs, untilMs, order, cursor } = this.#options;
    if (lastMs < sinceMs || firstMs >= untilMs) return false;
    if (cursor === undefined) return true;
    return order === 'newest' ? firstMs <= cursor.atMs : lastMs >= cursor.atMs;
  }

  async #pushBlocks(segment: Segment): Promise<void> {
    const isNewest = this.#options.order === 'newest';
    const asked = this.#segmentsAsked++;
    const ahead = (): Segment[] => {
      const following = this.#heap.list().filter((entry) => entry.kind === 'segment');
      return following.slice(0, asked).map((entry) => entry.segment);
    };
    const blocks = await this.#segments.blocksOf(segment, this.#options.zoneId, ahead);
    for (const block of this.#selectBlocks(blocks)) {
      const { firstMs, lastMs } = block.head;
      this.#heap.push({ kind: 'block', block, atMs: isNewest ? lastMs : firstMs });
    }
  }

  #selectBlocks(blocks: readonly StoredBlock[]): StoredBlock[] {
    return blocks.filter(({ head }) => this.#overlaps(head.firstMs, head.lastMs));
  }

  #open(stored: StoredBlock): Promise<OpenBlock | undefined> {
    const asked = this.#blocksAsked++;
    return this.#segments.open(stored, () => this.#listBlocksAhead().slice(0, asked));
  }

  /** The blocks that come next, if that is known without reading. */
  #listBlocksAhead(): StoredBlock[] {
    const { zoneId } = this.#options;
    return this.#heap.list().flatMap((entry) => {
      if (entry.kind === 'block') return [entry.block];
      if (entry.kind === 'events') return [];
      return this.#selectBlocks(this.#segments.knownBlocksOf(entry.segment, zoneId));
    });
  }

  /** Damage is reported and skipped: the rest of the log stays readable. */
  async #tolerate<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof EventsDamageError)) throw error;
      this.#options.onDamage(error);
      return undefined;
    }
  }

  #select(block: OpenBlock, stored: StoredBlock): FoundEvent[] {
    const { times, sequences } = block;
    return this.#sort(
      this.#selectRows(block).map((row) => ({
        atMs: times[row]!,
        sequence: sequences[row]!,
        source: { block: stored, row },
      })),
    );
  }

  #selectRows(block: OpenBlock): number[] {
    const { times } = block;
    const isMatch = this.#options.test?.ofBlock(block);
    const rows: number[] = [];
    for (let row = 0; row < times.length; row++) {
      if (this.#isInRange(times[row]!) && (isMatch === undefined || isMatch(row))) rows.push(row);
    }
    if (this.#pending.size === 0) return rows;
    return rows.filter((row) => !this.#pending.has(block.sequences[row]!));
  }

  #pushPending(pending: readonly StoredEvent[]): void {
    const { test } = this.#options;
    const rows = pending.filter(
      ({ atMs, event }) => this.#isInRange(atMs) && (test === undefined || test.ofEvent(event)),
    );
    this.#pushEvents(
      this.#sort(rows.map((row) => ({ atMs: row.atMs, sequence: row.sequence, source: row }))),
      0,
    );
  }

  #isInRange(atMs: number): boolean {
    return atMs >= this.#options.sinceMs && atMs < this.#options.untilMs;
  }

  #sort(events: readonly FoundEvent[]): FoundEvent[] {
    const { order, cursor } = this.#options;
    const sign = order === 'newest' ? -1 : 1;
    const wanted =
      cursor === undefined ? events : events.filter((event) => compareCursors(event, cursor) * sign > 0);
    return wanted.toSorted((a, b) => compareCursors(a, b) * sign);
  }

  #pushEvents(events: readonly FoundEvent[], next: number): void {
    const event = events[next];
    if (event !== undefined) this.#heap.push({ kind: 'events', events, next, atMs: event.atMs });
  }
}

function readPending(found: readonly FoundEvent[]): EventBatch {
  const events = found.flatMap(({ atMs, source }): [number, SecurityEvent][] =>
    'event' in source ? [[atMs, source.event]] : [],
  );
  return { kind: 'pending', count: found.length, events };
}

/** A source that could hold an event of the same time precedes the event. */
function compareEntries(a: ScanEntry, b: ScanEntry, sign: 1 | -1): number {
  if (a.atMs !== b.atMs) return (b.atMs - a.atMs) * sign;
  if (a.kind !== 'events' || b.kind !== 'events')
    return Number(a.kind === 'events') - Number(b.kind === 'events');
  return (b.events[b.next]!.sequence - a.events[a.next]!.sequence) * sign;
}

function compareCursors(a: EventCursor, b: EventCursor): number {
  return a.atMs - b.atMs || a.sequence - b.sequence;
}
