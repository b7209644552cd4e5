/** The texts that a value may become: as it is, and with one layer of encoding after the other undone. */
import { spendSteps } from '#base';
import { classify, has } from '../character-classes.ts';
import { decodingsMax, stepsPerCharacter } from '../limits.ts';
import { decodeBase64Text } from './base64.ts';
import { decodeOnce } from './decode-once.ts';

export interface TextReading {
  readonly text: string;
  /** The kinds of its characters. */
  readonly bits: number;
  readonly undone: readonly string[];
}

/** The value itself first; each of the others differs from the one before. */
export function listReadings(value: string): readonly TextReading[] {
  let last: TextReading = { text: value, bits: classify(value), undone: [] };
  const first = decodeFurther(last);
  if (first === undefined) return [last];
  const readings = [last, first];
  last = first;
  while (readings.length <= decodingsMax) {
    const next = decodeFurther(last);
    if (next === undefined) break;
    readings.push(next);
    last = next;
  }
  return readings;
}

/** Detectors look a few spaces ahead. */
const longSpace = /\s{9}/;
const longSpaces = /\s{9,}/g;

/** `un/**\/ion` is a word for programs that remove comments before they look for words. */
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

function decodeFurther({ text, bits, undone }: TextReading): TextReading | undefined {
  if ((bits & hidden) !== 0) {
    spendSteps(stepsPerCharacter * text.length);
    const decoded = decodeOnce(text);
    if (decoded.text !== text)
      return { text: decoded.text, bits: classify(decoded.text), undone: [...undone, ...decoded.undone] };
  }
  // One layer of its own: a null ends a path or a filter for some programs, and is nothing for others.
  if ((bits & has.control) !== 0 && text.includes('\0')) {
    const bare = text.replaceAll('\0', '');
    return { text: bare, bits: classify(bare), undone: [...undone, 'nulls'] };
  }
  if ((bits & has.space) !== 0 && longSpace.test(text)) {
    const short = text.replaceAll(longSpaces, ' ');
    return { text: short, bits, undone: [...undone, 'long spaces'] };
  }
  if ((bits & has.slash) !== 0 && text.includes('/*')) {
    const bare = removeComments(text);
    if (bare !== text) return { text: bare, bits: classify(bare), undone: [...undone, 'comments'] };
  }
  const encoded =
    (bits & notBase64) === 0 ? text : dataAddress.test(text) ? text.replace(dataAddress, '') : '';
  const decoded = encoded === '' ? undefined : decodeBase64Text(encoded);
  return decoded === undefined
    ? undefined
    : { text: decoded, bits: classify(decoded), undone: [...undone, 'Base64'] };
}
