/**
 * What the heads of one connection have in common. Whoever keeps a connection open sends nearly the same fields with every
 * message, so a head is compared with the one before it: equal text was read already, and means the same. HTTP/2 has its
 * tables for this.
 *
 * - All fields together are compared first, then each line with the one at its place.
 * - Nothing is kept of a connection with one message. A line that is another one time after time is not compared any more.
 * - Lines are copied, so that none of them holds a whole head. A connection keeps some kilobytes at most.
 */
import type { HeaderField } from '#request';
import type { FieldName } from './field-names.ts';

/** Longer ones cost more memory than they save time. */
const lineCharactersMax = 256;
const linesMax = 32;
/** Of a whole head: the last one is kept as it is. */
const headCharactersMax = 4_096;

/** How much more often a line may be another than the same, at first and at best. */
const creditAtFirst = 3;
const creditMax = 8;

/** Fields, as they were read. */
export interface Fields {
  readonly headers: HeaderField[];
  /** The name of each header, in the same order. */
  readonly names: FieldName[];
  /**
   * The lines of the fields that are passed on whatever the zone and the other side are, each ended by CR LF; undefined if
   * that depends on them.
   */
  readonly kept: string | undefined;
}

/** One line without its end. */
export interface ReadLine {
  readonly text: string;
  readonly field: HeaderField;
  readonly name: FieldName;
  /** Whether it is written as it would be put together: one space behind the colon, and none at the end. */
  readonly isCanonical: boolean;
}

interface Place {
  line: ReadLine | undefined;
  credit: number;
}

/** `Head`: what is made of the fields. */
export class HeadMemory<Head = unknown> {
  readonly #places: Place[] = [];
  #text = '';
  #fields: Fields | undefined;
  #head: Head | undefined;
  #isFirst = true;

  /** The fields of the last head, if these are the same: everything from `from` on. */
  recallFields(text: string, from: number): Fields | undefined {
    const isSame = text.length - from === this.#text.length && text.slice(from) === this.#text;
    return isSame ? this.#fields : undefined;
  }

  rememberFields(text: string, from: number, fields: Fields): void {
    this.#head = undefined;
    const isKept = !this.#isFirst && text.length <= headCharactersMax;
    this.#text = isKept ? text.slice(from) : '';
    this.#fields = isKept ? fields : undefined;
    this.#isFirst = false;
  }

  /** The head that was last made of these fields; undefined if the last one had others. */
  recallHead(fields: Fields): Head | undefined {
    return fields === this.#fields ? this.#head : undefined;
  }

  rememberHead(fields: Fields, head: Head): void {
    if (fields === this.#fields) this.#head = head;
  }

  /** The line at a place of the last heads, if it stands at `start` again. */
  recallLine(place: number, text: string, start: number): ReadLine | undefined {
    const known = this.#places[place];
    const line = known?.line;
    if (line === undefined) return undefined;
    const end = start + line.text.length;
    const isWhole =
      end === text.length || (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a);
    // V8 compares strings by words, and `startsWith` by characters.
    if (!isWhole || text.slice(start, end) !== line.text) return undefined;
    if (known!.credit < creditMax) known!.credit++;
    return line;
  }

  /** Whether a line that was not recalled is worth to be kept. */
  isLearned(place: number, length: number): boolean {
    if (this.#isFirst || place >= linesMax || length > lineCharactersMax) return false;
    const known = this.#places[place];
    if (known === undefined) return place === this.#places.length;
    if (known.credit > 0) known.credit--;
    else known.line = undefined;
    return known.credit > 0;
  }

  learnLine(place: number, line: ReadLine): void {
    const known = this.#places[place];
    if (known === undefined) this.#places[place] = { line, credit: creditAtFirst };
    else known.line = line;
  }
}
