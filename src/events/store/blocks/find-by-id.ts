/** Finds events in blocks by their ids, with the filters of the blocks. */
import type { RecordedEvent, SecurityEvent } from '../../event.ts';
import type { Judged } from '../../judged/judged.ts';
import { EventsDamageError } from '../errors.ts';
import type { OpenBlock } from './open-block.ts';
import { mayContain } from './ray-filter.ts';
import type { Segment } from './segment.ts';
import type { Segments } from './segments.ts';

export interface FoundById {
  readonly event: SecurityEvent;
  /** The explanation of its request. */
  readonly judged: Judged | undefined;
}

/** Request ids start with the milliseconds of their request. */
const hintMs = 60_000;

export async function findEvent(
  segments: Segments,
  zoneId: string,
  id: string,
): Promise<FoundById | undefined> {
  const hint = Number.parseInt(id.slice(0, 11), 16);
  const isLikely = ({ summary }: Segment): boolean =>
    hint >= summary.firstMs - hintMs && hint <= summary.lastMs + hintMs;
  const newest = segments.all.toReversed();
  for (const segment of [...newest.filter(isLikely), ...newest.filter((each) => !isLikely(each))]) {
    const found = await findInSegment(segments, segment, zoneId, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function findInSegment(
  segments: Segments,
  segment: Segment,
  zoneId: string,
  id: string,
): Promise<FoundById | undefined> {
  for (const stored of await segments.blocksOf(segment, zoneId)) {
    if (!mayContain(stored.head.filter, id)) continue;
    const block = await segments.open(stored);
    const row = block === undefined ? -1 : findRow(block, id);
    if (row >= 0) return readWithJudged(block!, row);
  }
  return undefined;
}

function findRow(block: OpenBlock, id: string): number {
  for (let row = 0; row < block.head.rows; row++) if (block.value('id', row) === id) return row;
  return -1;
}

function readWithJudged(block: OpenBlock, row: number): FoundById {
  const event = block.event(row);
  const judged = block
    .readJudged()
    .find((each, place) => each !== null && block.value('rayName', place) === event.rayName);
  return { event, judged: judged ?? undefined };
}

/** Those of the events that are in blocks already. An event can only be in a block whose times include its own. */
export async function listStoredIds(
  segments: Segments,
  zoneId: string,
  events: readonly RecordedEvent[],
): Promise<ReadonlySet<string>> {
  const timed = events.map(({ event }) => ({ event, atMs: Date.parse(event.datetime) }));
  const stored = new Set<string>();
  const firstMs = timed.reduce((first, { atMs }) => Math.min(first, atMs), Infinity);
  const lastMs = timed.reduce((last, { atMs }) => Math.max(last, atMs), -Infinity);
  const within = (part: { firstMs: number; lastMs: number }): typeof timed =>
    timed.filter(({ atMs }) => atMs >= part.firstMs && atMs <= part.lastMs);
  for (const segment of segments.all) {
    if (segment.summary.lastMs < firstMs || segment.summary.firstMs > lastMs) continue;
    for (const block of await segments.blocksOf(segment, zoneId)) {
      const likely = within(block.head).filter(({ event }) => mayContain(block.head.filter, event.id));
      if (likely.length === 0) continue;
      const ids = await readIds(segments, block);
      for (const { event } of likely) if (ids.has(event.id)) stored.add(event.id);
    }
  }
  return stored;
}

/** What is damaged cannot be compared: an event may then be stored again. */
async function readIds(
  segments: Segments,
  stored: Parameters<Segments['open']>[0],
): Promise<ReadonlySet<unknown>> {
  try {
    const block = await segments.open(stored);
    return new Set(Array.from({ length: block?.head.rows ?? 0 }, (_, row) => block!.value('id', row)));
  } catch (error) {
    if (!(error instanceof EventsDamageError)) throw error;
    return new Set();
  }
}
