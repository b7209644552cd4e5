import { nestingMax } from '../limits.ts';
import { type ByteSet, posixClasses } from './byte-set.ts';
import { type PatternSpan, SyntaxProblem } from './pattern-error.ts';
import type { Primitive, RustCursor } from './rust-cursor.ts';

type SetOperator = '&&' | '--' | '~~';

/** The elements of a class: bytes, or characters. */
interface CharacterSet<S> {
  addRange(first: number, last: number): void;
  addAll(other: S): void;
  intersection(other: S): S;
  difference(other: S): S;
  symmetricDifference(other: S): S;
  negated(): S;
  foldedCase(): S;
}

/** Adds the items that a class can list to its set. */
export interface Alphabet<S extends CharacterSet<S>> {
  empty(): S;
  fromBytes(set: ByteSet): S;
  /** Adds one item, which must not be an assertion. */
  addItem(set: S, item: Primitive): void;
  /** Adds a range whose bounds are in order. */
  addRange(set: S, first: Primitive, last: Primitive): void;
}

interface ClassContext<S extends CharacterSet<S>> {
  readonly cursor: RustCursor;
  readonly ignoreCase: boolean;
  readonly alphabet: Alphabet<S>;
  readonly depth: number;
}

/** Parses `[...]` with ranges, POSIX names, nested classes and the set operators; the cursor is at `[`. */
export function readRustClass<S extends CharacterSet<S>>(context: ClassContext<S>): S {
  const { cursor, ignoreCase, alphabet } = context;
  const start = cursor.at;
  if (context.depth > nestingMax) {
    throw new SyntaxProblem(`exceed the maximum number of nested parentheses/brackets (${nestingMax})`, {
      start,
      end: start + 1,
    });
  }
  let items = alphabet.empty();
  const { isNegated, openSpan } = readOpening(cursor, (byte) => items.addRange(byte, byte));
  let left: { set: S; operator: SetOperator } | undefined;
  const folded = (set: S): S => (ignoreCase ? set.foldedCase() : set);
  const joined = (): S => (left === undefined ? items : apply(left.operator, left.set, folded(items)));

  for (;;) {
    cursor.bumpSpace();
    if (cursor.isAtEnd) throw new SyntaxProblem('unclosed character class', openSpan);
    const { character } = cursor;
    const next = cursor.source[cursor.at + 1];
    if (character === '[') {
      const posix = readPosixClass(cursor);
      if (posix !== undefined) {
        const set = folded(alphabet.fromBytes(posix.set));
        items.addAll(posix.isNegated ? set.negated() : set);
      } else items.addAll(readRustClass({ ...context, depth: context.depth + 1 }));
    } else if (character === ']') {
      cursor.bump();
      const set = folded(joined());
      return isNegated ? set.negated() : set;
    } else if ((character === '&' || character === '-' || character === '~') && next === character) {
      cursor.at += 2;
      left = { set: folded(joined()), operator: (character + next) as SetOperator };
      items = alphabet.empty();
    } else readRange(context, items, openSpan);
  }
}

function apply<S extends CharacterSet<S>>(operator: SetOperator, left: S, right: S): S {
  switch (operator) {
    case '&&':
      return left.intersection(right);
    case '--':
      return left.difference(right);
    default:
      return left.symmetricDifference(right);
  }
}

/** `[`, an optional `^`, then any number of `-` or one `]`, which are literal here. */
function readOpening(
  cursor: RustCursor,
  add: (byte: number) => void,
): { readonly isNegated: boolean; readonly openSpan: PatternSpan } {
  const start = cursor.at;
  const unclosed = (): SyntaxProblem => new SyntaxProblem('unclosed character class', cursor.from(start));
  cursor.bumpAndSpace();
  if (cursor.isAtEnd) throw unclosed();
  const isNegated = cursor.character === '^';
  if (isNegated) {
    cursor.bumpAndSpace();
    if (cursor.isAtEnd) throw unclosed();
  }
  let isEmpty = true;
  while (cursor.character === '-') {
    add(0x2d);
    isEmpty = false;
    cursor.bumpAndSpace();
    if (cursor.isAtEnd) throw new SyntaxProblem('unclosed character class', { start, end: start });
  }
  if (isEmpty && cursor.character === ']') {
    add(0x5d);
    cursor.bumpAndSpace();
    if (cursor.isAtEnd) throw unclosed();
  }
  return { isNegated, openSpan: cursor.from(start) };
}

/** `[:name:]` or `[:^name:]`; anything else with this prefix is a nested class. */
function readPosixClass(
  cursor: RustCursor,
): { readonly set: ByteSet; readonly isNegated: boolean } | undefined {
  const match = /^\[:(\^?)([^:]*):\]/.exec(cursor.source.slice(cursor.at, cursor.at + 16));
  const set = posixClasses.get(match?.[2] ?? '');
  if (match === null || set === undefined) return undefined;
  cursor.at += match[0].length;
  return { set, isNegated: match[1] === '^' };
}

function readRange<S extends CharacterSet<S>>(
  context: ClassContext<S>,
  items: S,
  openSpan: PatternSpan,
): void {
  const { cursor, alphabet } = context;
  const first = readItem(cursor);
  cursor.bumpSpace();
  if (cursor.isAtEnd) throw new SyntaxProblem('unclosed character class', openSpan);
  const next = cursor.character === '-' ? cursor.peekAfterSpace() : ']';
  if (next === ']' || next === '-') {
    if (first.kind === 'assertion') {
      throw new SyntaxProblem('invalid escape sequence found in character class', first);
    }
    alphabet.addItem(items, first);
    return;
  }
  cursor.bumpAndSpace();
  if (cursor.isAtEnd) throw new SyntaxProblem('unclosed character class', openSpan);
  const last = readItem(cursor);
  if (valueOf(first) > valueOf(last)) {
    throw new SyntaxProblem('invalid character class range, the start must be <= the end', {
      start: first.start,
      end: last.end,
    });
  }
  alphabet.addRange(items, first, last);
}

function readItem(cursor: RustCursor): Primitive {
  if (cursor.character === '\\') return cursor.readEscape();
  const { character, characterSpan } = cursor;
  cursor.bump();
  return { ...characterSpan, kind: 'character', codePoint: character.codePointAt(0)! };
}

/** The number of the character, or byte, that an item represents, if it represents one. */
export function valueOf(item: Primitive): number {
  if (item.kind === 'character') return item.codePoint;
  if (item.kind === 'byte') return item.byte;
  throw new SyntaxProblem('invalid range boundary, must be a literal', item);
}
