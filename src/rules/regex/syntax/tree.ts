/**
 * The common tree of both dialects. It contains bytes, not characters, and no flags: the parsers resolve case, dot and
 * multi-line into sets and assertions.
 */
import type { ByteSet } from './byte-set.ts';

export type PatternTree =
  | { readonly kind: 'set'; readonly set: ByteSet }
  | { readonly kind: 'concat'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'alternate'; readonly parts: readonly PatternTree[] }
  | Repeat
  | { readonly kind: 'group'; readonly index: number; readonly part: PatternTree }
  | { readonly kind: 'assert'; readonly assertion: Assertion }
  | { readonly kind: 'unicode-assert'; readonly assertion: WordAssertion }
  | Look
  | { readonly kind: 'atomic'; readonly part: PatternTree }
  | { readonly kind: 'backreference'; readonly index: number; readonly ignoreCase: boolean };

export interface Repeat {
  readonly kind: 'repeat';
  readonly part: PatternTree;
  readonly min: number;
  /** `Infinity` without an upper limit. */
  readonly max: number;
  readonly greedy: boolean;
}

export interface Look {
  readonly kind: 'look';
  readonly ahead: boolean;
  readonly negative: boolean;
  readonly part: PatternTree;
}

/** Conditions on a position that depend only on the bytes on its two sides. */
export type Assertion =
  | 'start'
  | 'end'
  | 'line-start'
  | 'line-end'
  | 'crlf-line-start'
  | 'crlf-line-end'
  | 'inner-line-start'
  | WordAssertion
  | { readonly notNext: ByteSet };

/** For bytes in an `assert`, for characters in a `unicode-assert`. */
export type WordAssertion =
  | 'word'
  | 'not-word'
  | 'word-start'
  | 'word-end'
  | 'word-start-half'
  | 'word-end-half';

export const empty: PatternTree = { kind: 'concat', parts: [] };

export function concat(parts: readonly PatternTree[]): PatternTree {
  return parts.length === 1 ? parts[0]! : { kind: 'concat', parts };
}

/** Branches of one byte each become one set, the best form for the engines. */
export function alternate(parts: readonly PatternTree[]): PatternTree {
  if (parts.length === 1) return parts[0]!;
  if (!parts.every((part) => part.kind === 'set')) return { kind: 'alternate', parts };
  return { kind: 'set', set: parts.map((part) => part.set).reduce((union, set) => union.union(set)) };
}

/** The parts of a tree, in the order of the source. */
export function partsOf(tree: PatternTree): readonly PatternTree[] {
  switch (tree.kind) {
    case 'concat':
    case 'alternate':
      return tree.parts;
    case 'repeat':
    case 'group':
    case 'look':
    case 'atomic':
      return [tree.part];
    default:
      return [];
  }
}

export function someTree(tree: PatternTree, predicate: (tree: PatternTree) => boolean): boolean {
  return predicate(tree) || partsOf(tree).some((part) => someTree(part, predicate));
}

/**
 * The look-arounds of a tree, including nested ones. One that occurs twice is the same object: it is evaluated once.
 */
export function looksOf(tree: PatternTree): Set<Look> {
  const looks = new Set<Look>();
  const visit = (part: PatternTree): void => {
    if (part.kind === 'look') looks.add(part);
    partsOf(part).forEach(visit);
  };
  visit(tree);
  return looks;
}

export function countTrees(tree: PatternTree): number {
  return partsOf(tree).reduce((count, part) => count + countTrees(part), 1);
}

/** Minimum number of bytes of a match. */
export function lengthMin(tree: PatternTree): number {
  switch (tree.kind) {
    case 'set':
      return 1;
    case 'concat':
      return tree.parts.reduce((sum, part) => sum + lengthMin(part), 0);
    case 'alternate':
      return Math.min(...tree.parts.map(lengthMin));
    case 'repeat':
      return tree.min === 0 ? 0 : tree.min * lengthMin(tree.part);
    case 'group':
    case 'atomic':
      return lengthMin(tree.part);
    default:
      return 0;
  }
}

/** Maximum number of bytes of a match. */
export function lengthMax(tree: PatternTree): number {
  switch (tree.kind) {
    case 'set':
      return 1;
    case 'concat':
      return tree.parts.reduce((sum, part) => sum + lengthMax(part), 0);
    case 'alternate':
      return Math.max(...tree.parts.map(lengthMax));
    case 'repeat': {
      const length = lengthMax(tree.part);
      return length === 0 || tree.max === 0 ? 0 : tree.max * length;
    }
    case 'group':
    case 'atomic':
      return lengthMax(tree.part);
    case 'backreference':
      return Infinity;
    default:
      return 0;
  }
}

/** True if every match starts at the start of the value. */
export function isAnchored(tree: PatternTree): boolean {
  switch (tree.kind) {
    case 'assert':
      return tree.assertion === 'start';
    case 'concat': {
      // Parts without width may precede the anchor.
      for (const part of tree.parts) {
        if (isAnchored(part)) return true;
        if (lengthMax(part) > 0) return false;
      }
      return false;
    }
    case 'alternate':
      return tree.parts.every(isAnchored);
    case 'repeat':
      return tree.min > 0 && isAnchored(tree.part);
    case 'group':
    case 'atomic':
      return isAnchored(tree.part);
    default:
      return false;
  }
}
