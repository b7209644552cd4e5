/**
 * What an object's history needs on disk: the snapshots its entry names, the bases its records start over from, and the
 * records themselves, back to where the kept history begins. Finds what is missing; whether the existing files are
 * intact shows only when they are read.
 */
import { nextTurn } from '#work';
import { type Journal, type Position, noPosition } from '#journal';
import type { Chronicle } from '../ledger/ledger.ts';
import { decodeCommit } from '../ledger/records.ts';
import { surveyPieceBytes } from '../limits.ts';
import { recordReadBytes } from '../ledger/catalogue.ts';
import { HistoryMissingError } from './materialise.ts';

export type NamedImage =
  | { readonly kind: 'snapshot'; readonly position: Position; readonly record: Position }
  | {
      readonly kind: 'base';
      readonly position: Position;
      /** The record that starts over from it. */
      readonly record: Position;
      /** The record that requested the restore it came from; zero for an import. */
      readonly request: Position;
      /** Retention may have removed it just before the record that names it, and then been interrupted. */
      readonly isGivenBack: boolean;
    };

export interface HistorySurvey {
  /** In the order of the records that need them. */
  readonly images: readonly NamedImage[];
  /** Why the records end too early, walking back, and at which position. */
  readonly gap: { readonly position: Position; readonly error: Error } | undefined;
}

/** Reads the whole chain, yielding the event loop in between. */
export async function surveyHistory(journal: Journal, { owner, entry }: Chronicle): Promise<HistorySurvey> {
  const images: NamedImage[] = entry.snapshots.map((position) => ({
    kind: 'snapshot',
    position,
    record: position,
  }));
  const oldestSegmentEnd = journal.segmentsBefore(journal.durableEnd)[0]?.end ?? noPosition;
  let gap: HistorySurvey['gap'];
  let at = entry.head;
  let unpaused = 0;
  try {
    while (at !== noPosition && at >= journal.start) {
      const { payload } = journal.read(at);
      const { owner: written, base, previous } = decodeCommit(payload);
      unpaused += payload.length + recordReadBytes;
      if (unpaused > surveyPieceBytes) {
        unpaused = 0;
        await nextTurn();
      }
      if (written !== owner) throw new RangeError(`the record at position ${at} is of another object`);
      if (base !== undefined && base.image !== noPosition) {
        const record = at;
        const isGivenBack = record < oldestSegmentEnd && entry.snapshots.some((kept) => kept >= record);
        images.push({ kind: 'base', position: base.image, record, request: base.request, isGivenBack });
      }
      at = previous;
    }
    const isWhole = at === noPosition || entry.snapshots.includes(at);
    if (!isWhole) throw new HistoryMissingError(at, journal);
  } catch (error) {
    gap = { position: at, error: error as Error };
  }
  return { images: images.toSorted((a, b) => a.record - b.record || (a.kind === 'base' ? -1 : 1)), gap };
}
