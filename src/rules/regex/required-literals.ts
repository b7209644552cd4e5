import { literalLengthMax, literalsMax } from './limits.ts';
import type { ByteSet } from './syntax/byte-set.ts';
import type { PatternTree } from './syntax/tree.ts';
import type { RequiredLiterals } from './types.ts';

/** A text that must occur; `folded` if either case of some letter matches. */
interface Literal {
  readonly text: string;
  readonly folded: boolean;
}

interface Knowledge {
  /** All texts that can match, if they are few. */
  readonly exact: readonly Literal[] | undefined;
  /** Texts of which one must occur in every match. */
  readonly required: readonly Literal[] | undefined;
}

/** A position with more bytes than this creates more literals than are useful. */
const bytesMax = 8;

/** Literals of which every matching value contains at least one, for prefilters; look-arounds are ignored. */
export function requiredLiteralsOf(tree: PatternTree): RequiredLiterals | undefined {
  const { exact, required } = knowledgeOf(tree);
  const best = better(usable(exact), required);
  if (best === undefined) return undefined;
  const ignoreCase = best.some(({ folded }) => folded);
  const texts = best.map(({ text }) => (ignoreCase ? lowerCaseOf(text) : text));
  const distinct = [...new Set(texts)];
  // A literal inside another one makes the longer one superfluous.
  const literals = distinct.filter(
    (text) => !distinct.some((other) => other !== text && text.includes(other)),
  );
  return { literals, ignoreCase };
}

function knowledgeOf(tree: PatternTree): Knowledge {
  switch (tree.kind) {
    case 'set':
      return { exact: literalsOf(tree.set), required: undefined };
    case 'concat':
      return sequence(tree.parts.map(knowledgeOf));
    case 'alternate':
      return choice(tree.parts.map(knowledgeOf));
    case 'group':
    case 'atomic':
      return knowledgeOf(tree.part);
    case 'repeat': {
      if (tree.max === 0) return nothing;
      const part = knowledgeOf(tree.part);
      if (tree.min === 0) return tree.max === 1 ? choice([part, nothing]) : unknown;
      const copies = Math.min(tree.min, literalLengthMax);
      const repeated = sequence(Array.from({ length: copies }, () => part));
      if (copies === tree.max) return repeated;
      return { exact: undefined, required: better(usable(repeated.exact), repeated.required) };
    }
    case 'backreference':
      return unknown;
    default:
      return nothing;
  }
}

const nothing: Knowledge = { exact: [{ text: '', folded: false }], required: undefined };
const unknown: Knowledge = { exact: undefined, required: undefined };

function literalsOf(set: ByteSet): Literal[] | undefined {
  const bytes = set.bytes();
  if (bytes.length > 2 * bytesMax) return undefined;
  const literals: Literal[] = [];
  for (const byte of bytes) {
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    const isLower = byte >= 0x61 && byte <= 0x7a;
    const hasOtherCase = (isUpper || isLower) && set.has(byte ^ 0x20);
    if (isUpper && hasOtherCase) continue;
    literals.push({ text: String.fromCharCode(byte), folded: hasOtherCase });
  }
  return literals.length > bytesMax ? undefined : literals;
}

function sequence(parts: readonly Knowledge[]): Knowledge {
  let exact: readonly Literal[] | undefined = nothing.exact;
  let required: readonly Literal[] | undefined;
  let isExact = true;
  for (const part of parts) {
    required = better(required, part.required);
    const joined = exact === undefined || part.exact === undefined ? undefined : product(exact, part.exact);
    if (joined === undefined) {
      isExact = false;
      required = better(required, usable(exact));
      exact = part.exact ?? nothing.exact;
    } else exact = joined;
  }
  if (isExact) return { exact, required };
  return { exact: undefined, required: better(required, usable(exact)) };
}

function product(left: readonly Literal[], right: readonly Literal[]): Literal[] | undefined {
  if (left.length * right.length > literalsMax) return undefined;
  const joined = left.flatMap((a) =>
    right.map((b) => ({ text: a.text + b.text, folded: a.folded || b.folded })),
  );
  return joined.some(({ text }) => text.length > literalLengthMax) ? undefined : joined;
}

function choice(parts: readonly Knowledge[]): Knowledge {
  const exact = union(parts.map((part) => part.exact));
  const required = union(parts.map((part) => better(usable(part.exact), part.required)));
  return { exact, required };
}

function union(sets: ReadonlyArray<readonly Literal[] | undefined>): readonly Literal[] | undefined {
  const all: Literal[] = [];
  for (const set of sets) {
    if (set === undefined) return undefined;
    all.push(...set);
  }
  return all.length > literalsMax ? undefined : all;
}

/** Selective literals: the empty text occurs everywhere. */
function usable(literals: readonly Literal[] | undefined): readonly Literal[] | undefined {
  return literals?.some(({ text }) => text === '') === true ? undefined : literals;
}

/** The choice that fewer values pass: the longer its shortest literal the better, then the fewer literals. */
function better(
  a: readonly Literal[] | undefined,
  b: readonly Literal[] | undefined,
): readonly Literal[] | undefined {
  if (a === undefined || a.length === 0 || b === undefined || b.length === 0) {
    return a === undefined || a.length === 0 ? b : a;
  }
  const shortest = (literals: readonly Literal[]): number =>
    Math.min(...literals.map(({ text }) => text.length));
  // Beyond four bytes the number of literals is more important than their length.
  const [lengthA, lengthB] = [Math.min(4, shortest(a)), Math.min(4, shortest(b))];
  if (lengthA !== lengthB) return lengthA > lengthB ? a : b;
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return shortest(b) > shortest(a) ? b : a;
}

function lowerCaseOf(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
