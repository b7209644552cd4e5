/** The shape of one value: its kinds of characters, the kind of the whole value, and its approximate length. */
import { shapeCharactersMax } from './limits.ts';

/**
 * Classes of signs, each sign in only one class, so that one character is one surprise. Letters, digits and `_` are not
 * signs.
 */
export const signClasses = [
  ['quotes', '\'"`'],
  ['< or >', '<>'],
  ['parentheses', '()'],
  ['separators (; | & or line ends)', ';|&\n\r'],
  ['$', '$'],
  ['slashes', '/\\'],
  ['braces', '{}'],
  ['brackets', '[]'],
  ['operators (= ! * # ^ + ~)', '=!*#^+~'],
  ['dashes', '-'],
  ['%', '%'],
  ['colons', ':'],
  ['commas', ','],
  ['dots', '.'],
  ['? or @', '?@'],
  ['spaces', ' \t\v\f'],
] as const;

/** Bits after those of the classes above. */
export const highSign = 1 << signClasses.length;
export const controlSign = highSign << 1;
export const signBits = signClasses.length + 2;

const signOf = new Uint32Array(256);
for (let code = 0; code < 0x20; code++) signOf[code] = controlSign;
for (let code = 0x80; code < 0x100; code++) signOf[code] = highSign;
for (const [index, [, characters]] of signClasses.entries())
  for (const character of characters) signOf[character.charCodeAt(0)] = 1 << index;

function signsOf(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index++) bits |= signOf[text.charCodeAt(index) & 0xff]!;
  return bits;
}

/** The first that matches is the kind. */
const kinds: readonly (readonly [name: ValueKind, pattern: RegExp])[] = [
  ['number', /^[+-]?\d{1,30}(?:[.,]\d{1,30})?$/],
  ['token', /^(?=[^\d]{0,60}\d)[\w-]{12,}$/],
  ['word', /^[\w\u0080-\u00ff-]{1,60}$/],
  ['address', /^(?:https?:\/\/|\/(?!\/)|[\w.+-]{1,64}@)[^\s<>"']{1,2000}$/i],
  // Letters, digits, spaces and punctuation of sentences.
  ['words', /^[\w\u0080-\u00ff .,:!?'’-]*$/],
];

export const valueKinds = ['number', 'token', 'word', 'address', 'words', 'text'] as const;
export type ValueKind = (typeof valueKinds)[number];

/** Powers of two; the last is for all longer values. */
export const lengthsMax = [4, 8, 16, 32, 64, 128, 256, 512, 1_024, 4_096, Number.POSITIVE_INFINITY] as const;

/** The bits of lengths follow those of kinds. */
const lengthsAt = 8;

export interface ValueShape {
  /** A bit for each class of signs that occurs. */
  readonly signs: number;
  /** A bit for its kind, and one for its length. */
  readonly form: number;
}

export function shapeOf(value: string): ValueShape {
  const text = value.length > shapeCharactersMax ? value.slice(0, shapeCharactersMax) : value;
  const kind = kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'text';
  const length = lengthsMax.findIndex((max) => value.length <= max);
  return { signs: signsOf(text), form: kindBit(kind) | lengthBit(length) };
}

export function kindBit(kind: ValueKind): number {
  return 1 << valueKinds.indexOf(kind);
}

export function lengthBit(index: number): number {
  return 1 << (lengthsAt + index);
}

/** The kinds among the bits of a form. */
export function listKinds(form: number): readonly ValueKind[] {
  return valueKinds.filter((kind) => (form & kindBit(kind)) !== 0);
}

/** The index in `lengthsMax` of the longest among the bits of a form; -1 if there is none. */
export function longestOf(form: number): number {
  return lengthsMax.findLastIndex((_, index) => (form & lengthBit(index)) !== 0);
}
