/** The texts of formats that few applications read: hand-written JSON, YAML, MessagePack. */
import { argumentsMax } from '../limits.ts';

type TextVisitor = (text: string) => void;

/** Keys without quotes, strings in single quotes, or a comment in front. */
export function looksLikeJson5(body: string): boolean {
  return /^\s{0,64}(?:\/\*[^*]{0,400}\*\/\s{0,64}|\/\/[^\n]{0,400}\n\s{0,64}){0,8}[{[]\s{0,64}(?:'|[\w$]{1,80}\s{0,8}:)/.test(
    body,
  );
}

export function visitJson5(body: string, visit: TextVisitor): void {
  /** Up to here an open string has no end: its other quotes are not searched. */
  let [singleOpen, doubleOpen] = [0, 0];
  const quotes = /['"]/g;
  for (let count = 0, found = quotes.exec(body); found !== null && count < argumentsMax; count++) {
    const [quote] = found;
    if (found.index >= (quote === '"' ? doubleOpen : singleOpen)) {
      const start = quotes.lastIndex;
      const end = findStringEnd(body, start, quote);
      if (body[end] === quote) {
        visit(undoEscapes(body.slice(start, end)));
        quotes.lastIndex = end + 1;
      } else if (quote === '"') doubleOpen = end;
      else singleOpen = end;
    }
    found = quotes.exec(body);
  }
}

/** The position of the closing quote, or of what ends the search: the end of the line or of the text. */
function findStringEnd(body: string, from: number, quote: string): number {
  let at = from;
  while (at < body.length && body[at] !== quote && body[at] !== '\n') at += body[at] === '\\' ? 2 : 1;
  return Math.min(at, body.length);
}

function undoEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([^]))/gi, (_, byte, unit, sign: string) => {
    const digits = (byte ?? unit) as string | undefined;
    if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16) & 0xff);
    return { n: '\n', r: '\r', t: '\t' }[sign] ?? sign;
  });
}

/** The value of each line, and the lines of each block. */
export function visitYaml(body: string, visit: TextVisitor): void {
  visitMatches(body, /^[ \t]*(?:- +)?(?:[\w.$-]{1,80}|"[^"\n]{0,80}"):[ \t]+(\S[^\n]*)$/gm, ([, value]) => {
    const text = value!.trimEnd();
    if (/^'.*'$/.test(text)) visit(text.slice(1, -1).replaceAll("''", "'"));
    else if (/^".*"$/.test(text)) visit(undoEscapes(text.slice(1, -1)));
    else visit(text);
  });
  visitMatches(body, /:[ \t]+[|>][-+\d]{0,3}[ \t]*\r?\n((?:[ \t]+[^\n]*(?:\n|$))+)/g, ([, block]) =>
    visit(block!.replaceAll(/^[ \t]+/gm, '').trimEnd()),
  );
}

function visitMatches(body: string, pattern: RegExp, visit: (match: RegExpExecArray) => void): void {
  for (let count = 0, match = pattern.exec(body); match !== null && count < argumentsMax; count++) {
    visit(match);
    match = pattern.exec(body);
  }
}

/** Strings, wherever a byte announces one: other bytes are tried again from the next byte. */
export function visitMessagePack(body: string, visit: TextVisitor): void {
  let at = 0;
  for (let count = 0; at < body.length && count < argumentsMax;) {
    const [start, length] = readStringHead(body, at);
    if (length < 1 || start + length > body.length) {
      at++;
      continue;
    }
    visit(body.slice(start, start + length));
    count++;
    at = start + length;
  }
  // The rest is one text, so that nothing is skipped.
  if (at < body.length) visit(body.slice(at));
}

function readStringHead(body: string, at: number): readonly [start: number, length: number] {
  const type = body.charCodeAt(at);
  if (type >= 0xa0 && type <= 0xbf) return [at + 1, type & 0x1f];
  // The length is a number of one, two or four bytes.
  const bytes = type === 0xd9 ? 1 : type === 0xda ? 2 : type === 0xdb ? 4 : 0;
  let length = 0;
  for (let index = 1; index <= bytes; index++) length = length * 256 + body.charCodeAt(at + index);
  return [at + 1 + bytes, length];
}
