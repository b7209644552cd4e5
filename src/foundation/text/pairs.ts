/**
 * The one reader of names with values: `a=1&b=2` of queries and forms, `a=1; b=2` of cookies. It finds positions and
 * decodes nothing, so that a text is judged, shown and changed at the same places. A piece without `=` is a name with an
 * empty value; empty pieces are none.
 */

/** The name ends where the value starts if there is no `=`. */
export type PairVisitor = (start: number, nameEnd: number, valueStart: number, end: number) => void;

export interface PairLimits {
  readonly from?: number;
  /** The rest of a text with more pairs is one pair, so that nothing is skipped. */
  readonly pairsMax?: number;
}

export function visitPairs(text: string, visit: PairVisitor, limits: PairLimits = {}): void {
  visitPieces(text, '&', visit, limits);
}

/** Blanks around names and values do not belong to them. */
export function visitCookies(text: string, visit: PairVisitor, limits: PairLimits = {}): void {
  visitPieces(text, ';', visit, limits);
}

/** The values of the cookies with a name, as sent. There may be several: any site of a domain can set one. */
export function findCookies(text: string, name: string): readonly string[] {
  const found: string[] = [];
  if (!text.includes(name)) return found;
  visitCookies(text, (start, nameEnd, valueStart, end) => {
    const isNamed = nameEnd - start === name.length && nameEnd < valueStart && text.startsWith(name, start);
    if (isNamed) found.push(text.slice(valueStart, end));
  });
  return found;
}

function visitPieces(
  text: string,
  separator: '&' | ';',
  visit: PairVisitor,
  { from = 0, pairsMax = Infinity }: PairLimits,
): void {
  const hasBlanks = separator === ';';
  let equals = -1;
  for (let at = from, count = 0; at < text.length;) {
    const next = count < pairsMax ? text.indexOf(separator, at) : -1;
    let start = at;
    let end = next === -1 ? text.length : next;
    at = end + 1;
    if (hasBlanks) {
      while (start < end && isBlank[text.charCodeAt(start)] === 1) start++;
      while (start < end && isBlank[text.charCodeAt(end - 1)] === 1) end--;
    }
    if (start === end) continue;
    count++;
    // Searched for once: pieces without it would each scan the rest of the text.
    if (equals < start) equals = text.indexOf('=', start);
    if (equals === -1) equals = text.length;
    if (equals >= end) {
      visit(start, end, end, end);
      continue;
    }
    let nameEnd = equals;
    let valueStart = equals + 1;
    if (hasBlanks) {
      while (start < nameEnd && isBlank[text.charCodeAt(nameEnd - 1)] === 1) nameEnd--;
      while (valueStart < end && isBlank[text.charCodeAt(valueStart)] === 1) valueStart++;
    }
    visit(start, nameEnd, valueStart, end);
  }
}

/** A space or a tab. `trim` would also remove U+00A0, which here is a byte of another character. */
const isBlank = new Uint8Array(256);
for (const blank of ' \t') isBlank[blank.charCodeAt(0)] = 1;
