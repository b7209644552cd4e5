/**
 * Remembers the fields that the heads of one connection share. A client or server that keeps a connection open sends
 * nearly the same fields with every message, so a head is compared with the previous one: equal text was parsed already
 * and has the same meaning. HTTP/2 has its header tables for this.
 *
 * - All fields together are compared first, then each line with the line at the same position.
 * - Nothing is stored for a connection with one message. A line that keeps changing is no longer compared.
 * - Lines are copied, so that none of them retains a whole head. A connection stores some kilobytes at most.
 */
import type { HeaderField } from '#request';
import type { FieldName } from './field-names.ts';

/** Longer lines cost more memory than they save time. */
const lineCharactersMax = 256;
const linesMax = 32;
/** Length of a whole head: the last one is stored as it is. */
const headCharactersMax = 4_096;

/** How many more times a line may differ than be equal, at first and at most. */
const creditAtFirst = 3;
const creditMax = 8;

/** Parsed fields. */
export interface ParsedFields {
  readonly headers: HeaderField[];
  /** The name of each header, in the same order. */
  readonly names: FieldName[];
  /**
   * The lines that are forwarded for every zone and peer, each terminated by CR LF; undefined if that depends on the
   * zone or the peer.
   */
  readonly kept: string | undefined;
}

/** One line without its end. */
export interface ReadLine {
  readonly text: string;
  readonly field: HeaderField;
  readonly name: FieldName;
  /** Whether it has the canonical form: one space after the colon, and none at the end. */
  readonly isCanonical: boolean;
}

interface RememberedPlace {
  line: ReadLine | undefined;
  credit: number;
}

/** `Head`: the type that the caller builds from the fields. */
export class HeadMemory<Head = unknown> {
  readonly #places: RememberedPlace[] = [];
  #text = '';
  #fields: ParsedFields | undefined;
  #head: Head | undefined;
  #isFirst = true;

  /** The fields of the last head, if the text from `from` on is equal to it. */
  recallFields(text: string, from: number): ParsedFields | undefined {
    const isSame = text.length - from === this.#text.length && text.slice(from) === this.#text;
    return isSame ? this.#fields : undefined;
  }

  rememberFields(text: string, from: number, fields: ParsedFields): void {
    this.#head = undefined;
    const isKept = !this.#isFirst && text.length <= headCharactersMax;
    this.#text = isKept ? text.slice(from) : '';
    this.#fields = isKept ? fields : undefined;
    this.#isFirst = false;
  }

  /** The head that was last built from these fields; undefined if the last head had other fields. */
  recallHead(fields: ParsedFields): Head | undefined {
    return fields === this.#fields ? this.#head : undefined;
  }

  rememberHead(fields: ParsedFields, head: Head): void {
    if (fields === this.#fields) this.#head = head;
  }

  /** The remembered line at a position, if the text at `start` is equal to it. */
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

  /** Whether to store a line that was not recalled. */
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
