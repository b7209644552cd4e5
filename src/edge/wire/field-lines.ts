/**
 * The lines of a head or of trailers, parsed in the one way that every server agrees on: `name: value`, each ended by CR LF.
 * No space before the colon, no folded lines, no bare CR or LF, no control characters except the tab.
 */
import type { HeaderField } from '#request';
import { type CommonSpelling, type FieldName, findCommonSpelling, findFieldName } from './field-names.ts';

export interface FieldLimits {
  readonly countMax: number;
  readonly lineBytesMax: number;
}

export interface Fields {
  readonly headers: HeaderField[];
  /** The name of each header, in the same order. */
  readonly names: FieldName[];
}

export type FieldProblem = 'too-large' | 'malformed';

/** Tabs are text here; bare CR and LF are not, since lines have been cut at CR LF. */
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\n-\x1f\x7f]/;

export function hasControl(text: string): boolean {
  return control.test(text);
}

/**
 * The names at each place of the last head of a kind. Most heads are like the one before, and comparing a name costs less
 * than cutting it out and looking it up. Only common names, so that nothing of a head is kept.
 */
export type LastNames = (CommonSpelling | undefined)[];

function guessName(
  guess: CommonSpelling | undefined,
  text: string,
  start: number,
): CommonSpelling | undefined {
  if (guess === undefined || text.charCodeAt(start + guess.text.length) !== colonCode) return undefined;
  return text.startsWith(guess.text, start) ? guess : undefined;
}

/** Parses `text` from `from`: lines separated by CR LF, none after the last. */
export function readFields(
  text: string,
  from: number,
  limits: FieldLimits,
  lastNames: LastNames = [],
): Fields | FieldProblem {
  const headers: HeaderField[] = [];
  const names: FieldName[] = [];
  let start = from;
  while (start < text.length) {
    let end = text.indexOf('\r\n', start);
    if (end === -1) end = text.length;
    if (end - start > limits.lineBytesMax || headers.length >= limits.countMax) return 'too-large';
    let spelling = guessName(lastNames[headers.length], text, start);
    const colon = spelling === undefined ? text.indexOf(':', start) : start + spelling.text.length;
    if (colon === -1 || colon >= end) return 'malformed';
    const name = spelling?.text ?? text.slice(start, colon);
    spelling ??= findCommonSpelling(name);
    const known = spelling?.name ?? findFieldName(name);
    if (known === undefined) return 'malformed';
    const value = trimBlanks(text, colon + 1, end);
    if (control.test(value)) return 'malformed';
    lastNames[headers.length] = spelling;
    headers.push([name, value]);
    names.push(known);
    start = end + 2;
  }
  return { headers, names };
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
