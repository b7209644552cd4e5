/**
 * The lines of a head or of trailers, parsed in the only way that every server agrees on: `name: value`, each
 * terminated by CR LF. No space before the colon, no folded lines, no bare CR or LF, no control characters except the
 * tab.
 */
import { copyBytes } from '#text';
import type { HeaderField } from '#request';
import {
  type CommonSpelling,
  type FieldName,
  type FieldRole,
  findCommonSpelling,
  findFieldName,
} from './field-names.ts';
import type { ParsedFields, HeadMemory, ReadLine } from './head-memory.ts';

export interface FieldLimits {
  readonly countMax: number;
  readonly lineBytesMax: number;
}

export type FieldProblem = 'too-large' | 'malformed';

/** Tabs are text here; bare CR and LF are not, since lines have been cut at CR LF. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\n-\x1f\x7f]/;

export function hasControl(text: string): boolean {
  return control.test(text);
}

/**
 * The field names of the last head of a kind, by position. Most heads resemble the one before, and comparing a name
 * costs less than cutting it out and looking it up. Holds only common names, so that no part of a head is retained.
 */
export type LastNames = (CommonSpelling | undefined)[];

function guessName(
  guess: CommonSpelling | undefined,
  text: string,
  start: number,
): CommonSpelling | undefined {
  if (guess === undefined || text.charCodeAt(start + guess.text.length) !== colonCode) return undefined;
  return text.slice(start, start + guess.text.length) === guess.text ? guess : undefined;
}

/** What is known from earlier heads. */
interface EarlierHeads {
  /** Names in heads of the same kind. */
  readonly lastNames: LastNames;
  /** The memory of the connection. */
  readonly memory?: HeadMemory | undefined;
}

/** Parses `text` from `from`: lines separated by CR LF, none after the last. */
export function readFields(
  text: string,
  from: number,
  limits: FieldLimits,
  { lastNames, memory }: EarlierHeads = { lastNames: [] },
): ParsedFields | FieldProblem {
  const recalled = memory?.recallFields(text, from);
  if (recalled !== undefined) return recalled;
  const headers: HeaderField[] = [];
  const names: FieldName[] = [];
  const kept = new KeptLines(text, from);
  for (let start = from; start < text.length;) {
    const place = headers.length;
    if (place >= limits.countMax) return 'too-large';
    let line = memory?.recallLine(place, text, start);
    let end: number;
    if (line === undefined) {
      end = text.indexOf('\r\n', start);
      if (end === -1) end = text.length;
      if (end - start > limits.lineBytesMax) return 'too-large';
      line = readLine(text, start, end, { place, lastNames, memory });
      if (line === undefined) return 'malformed';
    } else end = start + line.text.length;
    headers.push(line.field);
    names.push(line.name);
    start = end + 2;
    kept.add(line, start);
  }
  const fields = { headers, names, kept: kept.finish() };
  memory?.rememberFields(text, from, fields);
  return fields;
}

/** Undefined if it is malformed. */
function readLine(
  text: string,
  start: number,
  end: number,
  { place, lastNames, memory }: EarlierHeads & { readonly place: number },
): ReadLine | undefined {
  if (memory?.isLearned(place, end - start) === true) {
    const copied = copyBytes(text.slice(start, end));
    const line = cutLine(copied, 0, copied.length, { place, lastNames });
    if (line !== undefined) memory.learnLine(place, { ...line, text: copied });
    return line;
  }
  return cutLine(text, start, end, { place, lastNames });
}

function cutLine(
  text: string,
  start: number,
  end: number,
  { place, lastNames }: EarlierHeads & { readonly place: number },
): ReadLine | undefined {
  let spelling = guessName(lastNames[place], text, start);
  const colon = spelling === undefined ? text.indexOf(':', start) : start + spelling.text.length;
  if (colon === -1 || colon >= end) return undefined;
  const written = spelling?.text ?? text.slice(start, colon);
  spelling ??= findCommonSpelling(written);
  const name = spelling?.name ?? findFieldName(written);
  if (name === undefined) return undefined;
  const value = trimBlanks(text, colon + 1, end);
  if (control.test(value)) return undefined;
  lastNames[place] = spelling;
  const isCanonical = end - colon === value.length + 2 && text.charCodeAt(colon + 1) === space;
  return { text: '', field: [written, value], name, isCanonical };
}

/** Collects the lines that are forwarded in any case. Adjacent lines are copied in one piece. */
class KeptLines {
  readonly #text: string;
  #from: number;
  /** The offset of the next line. */
  #next: number;
  #kept = '';
  #isDependent = false;

  constructor(text: string, from: number) {
    this.#text = text;
    this.#from = from;
    this.#next = from;
  }

  add({ field, name: { role }, isCanonical }: ReadLine, next: number): void {
    const isKept = isAlwaysKept(role);
    if (!isKept && isKeptSometimes(role)) this.#isDependent = true;
    if (!isKept || !isCanonical) {
      this.#cut(next);
      if (isKept) this.#kept += `${field[0]}: ${field[1]}\r\n`;
    }
    this.#next = next;
  }

  #cut(next: number): void {
    if (this.#next > this.#from) this.#kept += this.#text.slice(this.#from, this.#next);
    this.#from = next;
  }

  finish(): string | undefined {
    if (this.#isDependent) return undefined;
    // The last line has no CR LF.
    return this.#from < this.#text.length ? `${this.#kept}${this.#text.slice(this.#from)}\r\n` : this.#kept;
  }
}

/** Whether a request field with this role is always forwarded. */
function isAlwaysKept(role: FieldRole): boolean {
  return role === 'plain' || role === 'single' || role === 'host';
}

function isKeptSometimes(role: FieldRole): boolean {
  return role === 'forwarded' || role === 'claim' || role === 'disguised';
}

const colonCode = 0x3a;
const space = 0x20;
const tab = 0x09;

/** Without surrounding spaces and tabs. Nothing else is trimmed: some servers treat a vertical tab as a space. */
function trimBlanks(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === space || code === tab;
}

/** The items of a comma-separated value, trimmed; empty ones are left out. */
export function splitItems(value: string): string[] {
  const items: string[] = [];
  for (let start = 0; start <= value.length;) {
    let end = value.indexOf(',', start);
    if (end === -1) end = value.length;
    const item = trimBlanks(value, start, end);
    if (item !== '') items.push(item);
    start = end + 1;
  }
  return items;
}
