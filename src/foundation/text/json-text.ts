/**
 * The one reader of JSON that is not parsed: a text may be cut off, damaged, or contain a name twice, and its values have
 * positions. It finds what is in a text and decodes nothing.
 */

/**
 * A string is a name if a colon follows. Positions are those between the quotes; an unclosed string extends to the end
 * of the text, without half of an escape.
 */
export function visitJsonStrings(
  text: string,
  visit: (start: number, end: number, isName: boolean) => void,
): void {
  let start = text.indexOf('"') + 1;
  while (start > 0) {
    const end = findStringEnd(text, start);
    visit(start, end, isBeforeColon(text, end + 1));
    start = text.indexOf('"', end + 1) + 1;
  }
}

/** A mark, or what the text at the position is; `scalar` for numbers, literals and anything else. */
export type JsonToken = '{' | '}' | '[' | ']' | ',' | 'name' | 'string' | 'scalar';

export function visitJson(text: string, visit: (token: JsonToken, start: number, end: number) => void): void {
  let at = 0;
  visitJsonStrings(text, (start, end, isName) => {
    visitBetween(text, at, start - 1, visit);
    visit(isName ? 'name' : 'string', start, end);
    at = end + 1;
  });
  visitBetween(text, at, text.length, visit);
}

function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at;
    if (code === backslash && ++at === text.length) return at - 1;
  }
  return text.length;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= space) at++;
  return text.charCodeAt(at) === colon;
}

/** Without strings. */
function visitBetween(
  text: string,
  from: number,
  end: number,
  visit: (token: JsonToken, start: number, end: number) => void,
): void {
  for (let at = from; at < end;) {
    const start = at;
    const code = text.charCodeAt(at++);
    if (code <= space || code === colon) continue;
    const mark = marks.get(code);
    if (mark === undefined) while (at < end && isScalar(text.charCodeAt(at))) at++;
    visit(mark ?? 'scalar', start, at);
  }
}

function isScalar(code: number): boolean {
  return code > space && code !== colon && !marks.has(code);
}

const [quote, backslash, space, colon] = [0x22, 0x5c, 0x20, 0x3a];

const marks: ReadonlyMap<number, JsonToken> = new Map(
  (['{', '}', '[', ']', ','] as const).map((mark) => [mark.charCodeAt(0), mark]),
);
