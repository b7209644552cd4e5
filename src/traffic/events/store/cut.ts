/** Moves events from the tail into blocks, and determines after a crash which ones were moved. */
import { type CutBlock, cutBlock } from './blocks/block.ts';
import { blockRowsMax, expirySpanMs } from './limits.ts';
import type { TailEvents } from './tail/tail-events.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Segments } from './blocks/segments.ts';

type OnStored = (pending: TailEvents, rows: ReadonlySet<StoredEvent>) => void;

/** Calls back for each part that is on disk. Expired events are not written. */
export async function cutPending(
  segments: Segments,
  leaving: readonly TailEvents[],
  nowMs: number,
  onStored: OnStored,
): Promise<void> {
  const bySegment = new Map<number, { pending: TailEvents; rows: StoredEvent[] }[]>();
  for (const pending of leaving) {
    for (const [expiresMs, rows] of groupByExpiry(pending.rows)) {
      if (expiresMs <= nowMs) onStored(pending, new Set(rows));
      else bySegment.set(expiresMs, [...(bySegment.get(expiresMs) ?? []), { pending, rows }]);
    }
    // A batch without events is complete as well.
    if (pending.rows.length === 0) onStored(pending, new Set());
  }
  for (const [expiresMs, parts] of bySegment) {
    const blocks: CutBlock[] = [];
    for (const { pending, rows } of parts) {
      for (let at = 0; at < rows.length; at += blockRowsMax) {
        blocks.push(await cutBlock(pending.zoneId, rows.slice(at, at + blockRowsMax)));
      }
    }
    await segments.add(expiresMs, blocks, nowMs);
    for (const { pending, rows } of parts) onStored(pending, new Set(rows));
  }
}

/** The time of a segment is the end of the span in which its events expire. */
function groupByExpiry(rows: readonly StoredEvent[]): Map<number, StoredEvent[]> {
  return Map.groupBy(rows, ({ expiresMs }) => Math.ceil(expiresMs / expirySpanMs) * expirySpanMs);
}

/** The sequences that are in blocks, for zones from a given sequence on. */
export async function readStoredSequences(
  segments: Segments,
  from: ReadonlyMap<string, number>,
): Promise<Map<string, Set<number>>> {
  const stored = new Map<string, Set<number>>();
  const firstOfAll = Math.min(...from.values());
  for (const segment of segments.all) {
    if (segment.summary.lastSequence < firstOfAll) continue;
    for (const head of await segments.heads(segment)) {
      const first = from.get(head.zoneId);
      if (first === undefined || head.lastSequence < first || head.sections === 0) continue;
      const block = await segments.open({ segment, head });
      const known = stored.get(head.zoneId) ?? new Set();
      stored.set(head.zoneId, known);
      for (const sequence of block?.sequences ?? []) known.add(sequence);
    }
  }
  return stored;
}
