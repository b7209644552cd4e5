/** The texts that a value may become: unchanged, and with one layer of encoding after the other decoded. */
import { spendSteps } from '#work';
import { classify, has } from '../character-classes.ts';
import { decodingsMax, longCharactersMin, longDecodingsMax, stepsPerCharacterOnce } from '../limits.ts';
import { decodeBase64Text } from './base64.ts';
import { decodeOnce } from './decode-once.ts';

export interface TextReading {
  readonly text: string;
  /** The kinds of its characters, as bits. */
  readonly bits: number;
  readonly undone: readonly string[];
}

/** The value itself first; each of the others differs from the one before. */
export function listReadings(value: string): readonly TextReading[] {
  let last: TextReading = { text: value, bits: classify(value), undone: [] };
  const isLong = value.length > longCharactersMin;
  const first = isLong ? decodeAtOnce(last) : decodeFurther(last);
  if (first === undefined) return [last];
  const readings = [last, first];
  last = first;
  while (readings.length <= (isLong ? longDecodingsMax : decodingsMax)) {
    const next = isLong ? decodeAtOnce(last) : decodeFurther(last);
    if (next === undefined) break;
    readings.push(next);
    last = next;
  }
  return readings;
}

/**
 * For a long text: decodes a layer of encodings, nulls, long spaces and comments together, so that few readings cover
 * all of them.
 */
function decodeAtOnce(reading: TextReading): TextReading | undefined {
  const layer = decodeLayer(reading) ?? reading;
  const bare = [removeNulls, shortenSpaces, uncomment].reduce((last, remove) => remove(last) ?? last, layer);
  return bare === reading ? undefined : bare;
}

/** Detectors look a few spaces ahead. */
const longSpace = /\s{9}/;
const longSpaces = /\s{9,}/g;

/** `un/**\/ion` is a word for programs that remove comments before they search for words. */
function removeComments(text: string): string {
  let bare = '';
  let from = 0;
  for (let at = text.indexOf('/*'); at !== -1; at = text.indexOf('/*', from)) {
    const end = text.indexOf('*/', at + 2);
    if (end === -1) break;
    bare += text.slice(from, at);
    from = end + 2;
  }
  return from === 0 ? text : bare + text.slice(from);
}

const hidden = has.escape | has.high | has.control | has.dash;
const notBase64 =
  has.quote | has.less | has.parenthesis | has.space | has.brace | has.escape | has.colon | has.dot;

const dataAddress = /^\s{0,8}data:[\w/+.=;-]{0,80};base64,/i;

function decodeFurther(reading: TextReading): TextReading | undefined {
  return (
    decodeLayer(reading) ??
    removeNulls(reading) ??
    shortenSpaces(reading) ??
    uncomment(reading) ??
    decodeBase64(reading) ??
    unframe(reading)
  );
}

function unframe({ text, undone }: TextReading): TextReading | undefined {
  const inner = removeFrame(text);
  return inner === undefined || inner.length < 2
    ? undefined
    : { text: inner, bits: classify(inner), undone: [...undone, 'a frame'] };
}

function decodeLayer({ text, bits, undone }: TextReading): TextReading | undefined {
  if ((bits & hidden) === 0) return undefined;
  spendSteps(stepsPerCharacterOnce * text.length);
  const decoded = decodeOnce(text);
  if (decoded.text === text) return undefined;
  return { text: decoded.text, bits: classify(decoded.text), undone: [...undone, ...decoded.undone] };
}

/** A separate layer: a null ends a path or a filter for some programs, and is ignored by others. */
function removeNulls({ text, bits, undone }: TextReading): TextReading | undefined {
  if ((bits & has.control) === 0 || !text.includes('\0')) return undefined;
  const bare = text.replaceAll('\0', '');
  return { text: bare, bits: classify(bare), undone: [...undone, 'nulls'] };
}

function shortenSpaces({ text, bits, undone }: TextReading): TextReading | undefined {
  if ((bits & has.space) === 0 || !longSpace.test(text)) return undefined;
  return { text: text.replaceAll(longSpaces, ' '), bits, undone: [...undone, 'long spaces'] };
}

function uncomment({ text, bits, undone }: TextReading): TextReading | undefined {
  if ((bits & has.slash) === 0 || !text.includes('/*')) return undefined;
  const bare = removeComments(text);
  return bare === text ? undefined : { text: bare, bits: classify(bare), undone: [...undone, 'comments'] };
}

function decodeBase64({ text, bits, undone }: TextReading): TextReading | undefined {
  const encoded =
    (bits & notBase64) === 0 ? text : dataAddress.test(text) ? text.replace(dataAddress, '') : '';
  const decoded = encoded === '' ? undefined : decodeBase64Text(encoded);
  return decoded === undefined
    ? undefined
    : { text: decoded, bits: classify(decoded), undone: [...undone, 'Base64'] };
}

/**
 * A value that is only a frame around another: an element for code, a fence of Markdown, quotes, an indentation. The
 * sender chooses it, so its content is read as if it stood alone.
 */

/** The opening and closing marks of a frame; the closing mark of an element is its own name. */
const opening =
  /^(?:<(pre|code|samp|kbd|xmp|p)\b[^<>]{0,120}>|<ac:plain-text-body>(?:<!\[CDATA\[)?|\[code\b[^[\]]{0,80}\]|\{(?:code|noformat)(?::[^{}\n]{0,80})?\}|```(?:[\w+-]{0,20}\r?\n)?|~~~(?:[\w+-]{0,20}\r?\n)?|["'`]|\xe2\x80[\x98\x9c])/i;
const closing =
  /(?:<\/(pre|code|samp|kbd|xmp|p)>|(?:\]\]>)?<\/ac:plain-text-body>|\[\/code\]|\{(?:code|noformat)\}|```|~~~|["'`]|\xe2\x80[\x99\x9d])$/i;

/** The longest closing mark. */
const closingCharactersMax = 32;

/** The text in the frame; undefined if the text is not framed. */
function removeFrame(text: string): string | undefined {
  const inner = text.trim();
  const open = opening.exec(inner)?.[0].length ?? 0;
  if (open === 0) return inner === text || inner === '' ? undefined : inner;
  const tail = inner.slice(Math.max(open, inner.length - closingCharactersMax));
  const close = closing.exec(tail)?.[0].length ?? 0;
  return close === 0 ? undefined : inner.slice(open, inner.length - close);
}
