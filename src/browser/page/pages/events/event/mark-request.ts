/**
 * Locates the match of a rule in the sent URL of a request. Rules read decoded values: the match is searched in the
 * decoded text, and marked at its original bytes.
 */

export interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface FoundText {
  readonly text: string;
  readonly where?: { readonly kind: string } | undefined;
}

interface AddressRange {
  readonly start: number;
  readonly end: number;
}

/** Matches in other parts of the request are not searched in its URL. */
const placesInAddress: ReadonlySet<string> = new Set(['path', 'argument']);

/** The most levels of encoding that are searched. */
const decodingsMax = 3;

export function markAddress(address: string, found: readonly FoundText[]): readonly MarkedPiece[] {
  const readings = decodeRepeatedly(address);
  const ranges = found
    .filter(({ text, where }) => text !== '' && (where === undefined || placesInAddress.has(where.kind)))
    .flatMap(({ text }) => findRange(readings, text))
    .toSorted((a, b) => a.start - b.start);
  const pieces: MarkedPiece[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    if (start < at) continue;
    pieces.push(
      { text: address.slice(at, start), isMarked: false },
      { text: address.slice(start, end), isMarked: true },
    );
    at = end;
  }
  return [...pieces, { text: address.slice(at), isMarked: false }].filter(({ text }) => text !== '');
}

function findRange(readings: readonly Reading[], text: string): readonly AddressRange[] {
  const wanted = toBytes(text);
  for (const { bytes, starts } of readings) {
    const at = bytes.indexOf(wanted);
    if (at >= 0) return [{ start: starts[at]!, end: starts[at + wanted.length]! }];
  }
  return [];
}

/**
 * A text with one byte per character, and the place in the URL at which each of them starts; the last number is its
 * end.
 */
interface Reading {
  readonly bytes: string;
  readonly starts: readonly number[];
}

function decodeRepeatedly(address: string): readonly Reading[] {
  const readings = [readAsSent(address)];
  while (readings.length <= decodingsMax) {
    const last = readings.at(-1)!;
    const next = decode(last);
    if (next.bytes === last.bytes) break;
    readings.push(next);
  }
  return readings;
}

function readAsSent(address: string): Reading {
  const starts: number[] = [];
  let bytes = '';
  let at = 0;
  for (const character of address) {
    const encoded = toBytes(character);
    bytes += encoded;
    for (let count = 0; count < encoded.length; count++) starts.push(at);
    at += character.length;
  }
  return { bytes, starts: [...starts, at] };
}

function decode({ bytes, starts }: Reading): Reading {
  const decodedStarts: number[] = [];
  let decoded = '';
  for (let at = 0; at < bytes.length;) {
    const escape = /^%([0-9a-f]{2})/i.exec(bytes.slice(at, at + 3));
    decodedStarts.push(starts[at]!);
    decoded +=
      escape === null ? bytes[at]!.replace('+', ' ') : String.fromCharCode(Number.parseInt(escape[1]!, 16));
    at += escape === null ? 1 : 3;
  }
  return { bytes: decoded, starts: [...decodedStarts, starts.at(-1)!] };
}

function toBytes(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}
