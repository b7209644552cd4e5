/** Finds events in blocks by their ids, with the filters of the blocks. */
import type { SecurityEvent } from '../../event.ts';
import type { Judged } from '../../judged/judged.ts';
import type { BlockHead } from './block.ts';
import type { TimedEvent } from '../stored-event.ts';
import { EventsDamageError } from '../errors.ts';
import type { Segment } from '../home.ts';
import type { OpenBlock } from './open-block.ts';
import { mayContain } from './ray-filter.ts';
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
  for (let other = 0; other < block.head.rows; other++) {
    if (block.value('rayName', other) !== event.rayName) continue;
    const judged = block.judged(other);
    if (judged !== null) return { event, judged };
  }
  return { event, judged: undefined };
}

/**
 * The ids of those events that are already in blocks. An event can only be in a block whose time range includes its
 * own.
 */
export async function listStoredIds(
  segments: Segments,
  zoneId: string,
  events: readonly TimedEvent[],
): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  const firstMs = events.reduce((first, { atMs }) => Math.min(first, atMs), Infinity);
  const lastMs = events.reduce((last, { atMs }) => Math.max(last, atMs), -Infinity);
  const isNear = (part: Pick<BlockHead, 'firstMs' | 'lastMs'>): boolean =>
    part.lastMs >= firstMs && part.firstMs <= lastMs;
  for (const segment of segments.all) {
    if (!isNear(segment.summary)) continue;
    // Filters by time first: a busy segment has thousands of blocks, and nearly all of them are older.
    for (const head of (await segments.heads(segment)).filter(isNear)) {
      if (head.zoneId !== zoneId || head.sections === 0) continue;
      const likely = events.filter(
        ({ event, atMs }) => atMs >= head.firstMs && atMs <= head.lastMs && mayContain(head.filter, event.id),
      );
      if (likely.length === 0) continue;
      const ids = await readIds(segments, { segment, head });
      for (const { event } of likely) if (ids.has(event.id)) stored.add(event.id);
    }
  }
  return stored;
}

/** Damaged blocks cannot be compared: an event may then be stored again. */
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
