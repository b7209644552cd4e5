import { ByteSet, digits, lineFeed, space, wordBytes } from './byte-set.ts';
import { SyntaxProblem } from './pattern-error.ts';
import type { Assertion } from './tree.ts';

/** The meaning of one PCRE escape. */
export type PcreEscape =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'final-line' }
  | { readonly kind: 'newline-sequence' }
  | { readonly kind: 'reference'; readonly to: string }
  | { readonly kind: 'quoted'; readonly text: string };

const horizontalSpace = ByteSet.of(0x09, 0x20, 0xa0);
const verticalSpace = ByteSet.of(0x0a, 0x0b, 0x0c, 0x0d, 0x85);

const sets = new Map([
  ['d', digits],
  ['h', horizontalSpace],
  ['s', space],
  ['v', verticalSpace],
  ['w', wordBytes],
  ['D', digits.negated()],
  ['H', horizontalSpace.negated()],
  ['N', lineFeed.negated()],
  ['S', space.negated()],
  ['V', verticalSpace.negated()],
  ['W', wordBytes.negated()],
]);
const controls = new Map([
  ['a', 0x07],
  ['e', 0x1b],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
]);
const assertions = new Map<string, Assertion>([
  ['A', 'start'],
  ['B', 'not-word'],
  ['b', 'word'],
  ['z', 'end'],
]);

/** Parses the escape at `start`, the position of the backslash; returns it with the position after it. */
export function readPcreEscape(
  source: string,
  start: number,
  { inClass, groupCount }: { readonly inClass: boolean; readonly groupCount: number },
): { readonly escape: PcreEscape; readonly end: number } {
  const letter = source[start + 1];
  if (letter === undefined) throw new SyntaxProblem('\\ at end of pattern', { start, end: start + 1 });
  const after = start + 2;
  const byte = (value: number, end = after): ReturnType<typeof readPcreEscape> => {
    if (value > 0xff) {
      throw new SyntaxProblem('character code point value in \\x{} or \\o{} is too large', { start, end });
    }
    return { escape: { kind: 'byte', byte: value }, end };
  };
  const set = letter === 'N' && inClass ? undefined : sets.get(letter);
  if (set !== undefined) return { escape: { kind: 'set', set }, end: after };
  const control = letter === 'b' && inClass ? 0x08 : controls.get(letter);
  if (control !== undefined) return byte(control);
  if (letter === 'x') {
    const braced = /^\{([0-9A-Fa-f]+)\}/.exec(source.slice(after, after + 16));
    if (braced !== null) return byte(Number.parseInt(braced[1]!, 16), after + braced[0].length);
    const hex = /^[0-9A-Fa-f]{0,2}/.exec(source.slice(after, after + 2))![0];
    return byte(hex === '' ? 0 : Number.parseInt(hex, 16), after + hex.length);
  }
  if (letter === 'c' && after < source.length) {
    return byte(source[after]!.toUpperCase().charCodeAt(0) ^ 0x40, after + 1);
  }
  if (/[0-9]/.test(letter)) return readNumber(source, start, inClass ? 0 : groupCount, inClass);
  if (!inClass) {
    const assertion = assertions.get(letter);
    if (assertion !== undefined) return { escape: { kind: 'assertion', assertion }, end: after };
    if (letter === 'Z') return { escape: { kind: 'final-line' }, end: after };
    if (letter === 'R') return { escape: { kind: 'newline-sequence' }, end: after };
    const named = /^\\(?:g(?:\{(-?\w+)\}|(-?\d+))|k(?:<(\w+)>|'(\w+)'|\{(\w+)\}))/.exec(
      source.slice(start, start + 64),
    );
    if (named !== null) {
      const to = named.slice(1).find((name) => name !== undefined)!;
      return { escape: { kind: 'reference', to }, end: start + named[0].length };
    }
  }
  if (letter === 'Q') {
    const close = source.indexOf('\\E', after);
    const textEnd = close === -1 ? source.length : close;
    const end = close === -1 ? textEnd : textEnd + 2;
    return { escape: { kind: 'quoted', text: source.slice(after, textEnd) }, end };
  }
  if (letter === 'E') return { escape: { kind: 'quoted', text: '' }, end: after };
  if (/[A-Za-z]/.test(letter)) {
    throw new SyntaxProblem('unrecognized character follows \\', { start, end: after });
  }
  return byte(letter.charCodeAt(0));
}

/** `\1` to `\9`, and more digits if that many groups exist, refer to a group; other digits are octal. */
function readNumber(
  source: string,
  start: number,
  groupCount: number,
  inClass: boolean,
): { readonly escape: PcreEscape; readonly end: number } {
  const decimal = /^[1-9][0-9]*/.exec(source.slice(start + 1, start + 6))?.[0];
  if (decimal !== undefined && !inClass && (decimal.length === 1 || Number(decimal) <= groupCount)) {
    return { escape: { kind: 'reference', to: decimal }, end: start + 1 + decimal.length };
  }
  const octal = /^[0-7]{1,3}/.exec(source.slice(start + 1, start + 4))?.[0];
  if (octal === undefined) {
    // \8 and \9 are the digits themselves where a reference is not permitted.
    return { escape: { kind: 'byte', byte: source.charCodeAt(start + 1) }, end: start + 2 };
  }
  const byte = Number.parseInt(octal, 8) & 0xff;
  return { escape: { kind: 'byte', byte }, end: start + 1 + octal.length };
}
