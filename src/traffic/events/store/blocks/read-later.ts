import type { SecurityEvent } from '../../event.ts';
import type { Segments } from './segments.ts';

/** The events of a zone that are in blocks and have a larger sequence, in order of sequence. */
export async function readLaterBlocks(
  segments: Segments,
  zoneId: string,
  after: number,
): Promise<Map<number, SecurityEvent>> {
  const found = new Map<number, SecurityEvent>();
  for (const segment of segments.all) {
    if (segment.summary.lastSequence <= after) continue;
    for (const stored of await segments.blocksOf(segment, zoneId)) {
      if (stored.head.lastSequence <= after) continue;
      const block = await segments.open(stored);
      for (const [row, sequence] of block?.sequences.entries() ?? [])
        if (sequence > after) found.set(sequence, block!.event(row));
    }
  }
  return found;
}
