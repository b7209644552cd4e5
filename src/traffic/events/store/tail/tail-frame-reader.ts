/**
 * Reads the tail after a start. Frames arrive in the order in which they were written. A frame whose dictionary was in
 * removed frames contains only events that are in blocks, and is skipped.
 */
import type { JournalRecord } from '#journal';
import { type FrameHead, readFrameHead } from './frame-head.ts';
import { type TailFrame, keepLast, readRows, readText } from './tail-frame.ts';

export interface ReadFrame extends TailFrame {
  readonly text: Buffer;
}

interface KnownText {
  readonly firstSequence: number;
  readonly end: number;
  /** Its last part. */
  readonly text: Buffer;
}

export class TailFrameReader {
  readonly #texts = new Map<string, KnownText[]>();

  read({ payload, time }: Pick<JournalRecord, 'payload' | 'time'>): ReadFrame | undefined {
    const head = readFrameHead(payload);
    const dictionary = this.#findDictionary(head);
    if (dictionary === undefined) return undefined;
    const text = readText(head, dictionary);
    const { zoneId, firstSequence, retentionMs, count } = head;
    this.#texts.get(zoneId)!.push({ firstSequence, end: firstSequence + count, text: keepLast(text) });
    return { zoneId, firstSequence, retentionMs, rows: readRows(head, text, time), text };
  }

  /** Undefined if a part of it is missing. */
  #findDictionary({ zoneId, dictionaryStart, dictionaryEnd }: FrameHead): Buffer | undefined {
    const known = this.#texts.get(zoneId) ?? [];
    this.#texts.set(zoneId, known);
    // Frames that were written at the same time have none: later frames may still need the text before them.
    if (dictionaryStart === dictionaryEnd) return Buffer.alloc(0);
    const usable = known.filter(({ firstSequence }) => firstSequence >= dictionaryStart);
    this.#texts.set(zoneId, usable);
    const parts = usable.filter(({ end }) => end <= dictionaryEnd);
    // A dictionary starts and ends at frame boundaries.
    if (parts[0]?.firstSequence !== dictionaryStart || parts.at(-1)?.end !== dictionaryEnd) return undefined;
    return keepLast(...parts.map(({ text }) => text));
  }
}
