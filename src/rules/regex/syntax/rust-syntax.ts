import { instructionsMax, nestingMax } from '../limits.ts';
import type { ParseOptions } from '../types.ts';
import { ByteSet, lineFeed } from './byte-set.ts';
import type { ParsedPattern } from './parsed.ts';
import { type PatternSpan, SyntaxProblem } from './pattern-error.ts';
import { byteAlphabet, unicodeAlphabet, unicodeClassOf } from './rust-alphabets.ts';
import { readRustClass } from './rust-class.ts';
import { isWhiteSpace, type Primitive, RustCursor } from './rust-cursor.ts';
import {
  alternate,
  type Assertion,
  concat,
  countTrees,
  empty,
  partsOf,
  type Repeat,
  type PatternTree,
} from './tree.ts';
import { unicodePerlClass, UnicodeSet } from './unicode-set.ts';

type Flag = 'i' | 'm' | 's' | 'R' | 'U' | 'u' | 'x';
type Flags = Readonly<Record<Flag, boolean>>;

/** A tree and its nesting depth as Rust's regex counts it: the limit also applies to repetitions of repetitions. */
interface Nested {
  readonly tree: PatternTree;
  readonly depth: number;
}

/**
 * Parses the dialect of the `regex` crate with Unicode off until `(?u)` turns it on. Mistakes are thrown as
 * `SyntaxProblem` with the crate's own wording and positions; parts that cannot be translated are reported after syntax
 * errors.
 */
export function parseRustSyntax(source: string, options: ParseOptions): ParsedPattern {
  return new RustParser(source, options).parse();
}

class RustParser {
  readonly #cursor: RustCursor;
  readonly #names = new Map<string, number>();
  readonly #nameSpans = new Map<string, PatternSpan>();
  #flags: Flags;
  #groupCount = 0;
  #deferred: SyntaxProblem | undefined;
  /** The number of parts in trees built from sets of characters. */
  #setParts = 0;

  constructor(source: string, { ignoreCase = false, dotAll = false, multiLine = false }: ParseOptions) {
    this.#cursor = new RustCursor(source);
    this.#flags = { i: ignoreCase, m: multiLine, s: dotAll, R: false, U: false, u: false, x: false };
  }

  parse(): ParsedPattern {
    const { tree, depth } = this.#readAlternation(0);
    if (!this.#cursor.isAtEnd) throw new SyntaxProblem('unopened group', this.#cursor.characterSpan);
    if (depth > nestingMax) throw tooDeep(this.#cursor.from(0));
    if (this.#deferred !== undefined) throw this.#deferred;
    const groups = new Set(groupsOf(tree));
    const groupNames = new Map([...this.#names].filter(([, index]) => groups.has(index)));
    return { tree, groupCount: Math.max(0, ...groups), groupNames };
  }

  #readAlternation(groupDepth: number): Nested {
    const cursor = this.#cursor;
    const branches: PatternTree[] = [];
    // `undefined` represents flags, which cannot be repeated.
    let items: Array<Nested | undefined> = [];
    let depth = 0;
    const endBranch = (): void => {
      const parts = items.filter((item) => item !== undefined);
      depth = parts.reduce((most, item) => Math.max(most, item.depth + (items.length > 1 ? 1 : 0)), depth);
      branches.push(concat(parts.map((item) => item.tree)));
      items = [];
    };
    for (;;) {
      cursor.bumpSpace();
      const { character } = cursor;
      if (character === '' || character === ')') break;
      if (character === '|') {
        cursor.bump();
        endBranch();
      } else if (character === '(') items.push(this.#readGroup(groupDepth));
      else if (character === '*' || character === '+' || character === '?' || character === '{') {
        items.push(this.#readRepetition(items.pop()));
      } else items.push({ depth: character === '[' ? 1 : 0, tree: this.#readAtom(groupDepth) });
    }
    endBranch();
    return { tree: alternate(branches), depth: depth + (branches.length > 1 ? 1 : 0) };
  }

  #readAtom(groupDepth: number): PatternTree {
    const cursor = this.#cursor;
    const { character, characterSpan } = cursor;
    if (character === '[') return this.#readClass(groupDepth);
    if (character === '\\') return this.#treeOf(cursor.readEscape());
    cursor.bump();
    if (character === '.') return this.#dot();
    if (character === '^') return this.#assertion('start', 'line-start', 'crlf-line-start');
    if (character === '$') return this.#assertion('end', 'line-end', 'crlf-line-end');
    return this.#treeOf({ ...characterSpan, kind: 'character', codePoint: character.codePointAt(0)! });
  }

  #readClass(groupDepth: number): PatternTree {
    const shared = { cursor: this.#cursor, ignoreCase: this.#flags.i, depth: groupDepth };
    if (this.#flags.u)
      return this.#setTree(
        readRustClass({ ...shared, alphabet: unicodeAlphabet(this.#flags.i, this.#report) }),
      );
    return { kind: 'set', set: readRustClass({ ...shared, alphabet: byteAlphabet(this.#report) }) };
  }

  #dot(): PatternTree {
    const excluded = this.#flags.s ? new ByteSet() : this.#flags.R ? ByteSet.of(0x0a, 0x0d) : lineFeed;
    if (this.#flags.u) return this.#setTree(UnicodeSet.fromBytes(excluded).negated());
    return { kind: 'set', set: excluded.negated() };
  }

  #assertion(text: Assertion, line: Assertion, crlfLine: Assertion): PatternTree {
    const assertion = this.#flags.m ? (this.#flags.R ? crlfLine : line) : text;
    return { kind: 'assert', assertion };
  }

  #treeOf(primitive: Primitive): PatternTree {
    const { u: isUnicode, i: ignoreCase } = this.#flags;
    switch (primitive.kind) {
      case 'set':
        return isUnicode
          ? this.#setTree(unicodePerlClass(primitive.letter))
          : { kind: 'set', set: primitive.set };
      case 'assertion': {
        const { assertion } = primitive;
        return isUnicode && assertion !== 'start' && assertion !== 'end'
          ? { kind: 'unicode-assert', assertion }
          : { kind: 'assert', assertion };
      }
      case 'byte':
        return isUnicode ? this.#character(primitive.byte) : { kind: 'set', set: ByteSet.of(primitive.byte) };
      case 'unicode-class':
        if (isUnicode) return this.#setTree(unicodeClassOf(primitive, ignoreCase, this.#report));
        this.#report('Unicode not allowed here', primitive);
        return empty;
      default: {
        const { codePoint } = primitive;
        return isUnicode && ignoreCase
          ? this.#setTree(new UnicodeSet([[codePoint, codePoint]]).foldedCase())
          : this.#character(codePoint);
      }
    }
  }

  /** Sets of characters become large trees: beyond the limit for all of them, they are no longer built. */
  #setTree(set: UnicodeSet): PatternTree {
    if (this.#setParts > instructionsMax) return tooLarge;
    const tree = set.toTree();
    this.#setParts += countTrees(tree);
    return tree;
  }

  /** A character as its bytes, of which only those of ASCII letters have a case. */
  #character(codePoint: number): PatternTree {
    const sets = [...Buffer.from(String.fromCodePoint(codePoint))].map((byte) => ByteSet.of(byte));
    return concat(sets.map((set) => ({ kind: 'set', set: this.#flags.i ? set.foldedCase() : set })));
  }

  readonly #report = (reason: string, { start, end }: PatternSpan): void => {
    this.#deferred ??= new SyntaxProblem(reason, { start, end });
  };

  #readRepetition(item: Nested | undefined): Nested {
    const cursor = this.#cursor;
    const { here, character } = cursor;
    if (item === undefined) throw new SyntaxProblem('repetition operator missing expression', here);
    const bounds = character === '{' ? this.#readCount() : this.#readSign(character);
    const isLazy = !cursor.isAtEnd && cursor.bumpIf('?');
    if (bounds.max < bounds.min) {
      throw new SyntaxProblem(
        'invalid repetition count range, the start must be <= the end',
        cursor.from(here.start),
      );
    }
    if (item.depth >= nestingMax) throw tooDeep(here);
    const tree: Repeat = { kind: 'repeat', part: item.tree, ...bounds, greedy: isLazy === this.#flags.U };
    return { tree, depth: item.depth + 1 };
  }

  #readSign(sign: string): { min: number; max: number } {
    this.#cursor.bump();
    return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
  }

  #readCount(): { min: number; max: number } {
    const cursor = this.#cursor;
    const start = cursor.at;
    const unclosed = (): SyntaxProblem =>
      new SyntaxProblem('unclosed counted repetition', cursor.from(start));
    cursor.bumpAndSpace();
    if (cursor.isAtEnd) throw unclosed();
    const min = this.#readDecimal();
    if (cursor.isAtEnd) throw unclosed();
    const isRange = cursor.is(',');
    if (isRange) cursor.bumpAndSpace();
    if (cursor.isAtEnd) throw unclosed();
    // A bad number is reported only if the source continues after it.
    if (min instanceof SyntaxProblem) throw min;
    const max = !isRange ? min : cursor.is('}') ? Infinity : this.#readDecimal();
    if (max instanceof SyntaxProblem) throw max;
    if (!cursor.is('}')) throw unclosed();
    // Unlike after a sign, white space is permitted before the `?` that makes it lazy.
    cursor.bumpAndSpace();
    return { min, max };
  }

  #readDecimal(): number | SyntaxProblem {
    const cursor = this.#cursor;
    const skipSpace = (): void => {
      while (!cursor.isAtEnd && isWhiteSpace(cursor.character)) cursor.bump();
    };
    skipSpace();
    const start = cursor.at;
    let text = '';
    for (; /^[0-9]$/.test(cursor.character); cursor.bumpAndSpace()) text += cursor.character;
    const span = cursor.from(start);
    skipSpace();
    if (text === '') return new SyntaxProblem('repetition quantifier expects a valid decimal', span);
    if (Number(text) > 0xffff_ffff) return new SyntaxProblem('decimal literal invalid', span);
    return Number(text);
  }

  #readGroup(groupDepth: number): Nested | undefined {
    const cursor = this.#cursor;
    const openSpan = cursor.characterSpan;
    if (groupDepth >= nestingMax) throw tooDeep(openSpan);
    cursor.bumpAndSpace();
    if (['?=', '?!', '?<=', '?<!'].some((prefix) => cursor.bumpIf(prefix))) {
      throw new SyntaxProblem(
        'look-around, including look-ahead and look-behind, is not supported',
        cursor.from(openSpan.start),
      );
    }
    const flagsOutside = this.#flags;
    const inner = cursor.here;
    let index = 0;
    if (cursor.bumpIf('?P<') || cursor.bumpIf('?<')) this.#readName((index = ++this.#groupCount));
    else if (cursor.bumpIf('?')) {
      if (cursor.isAtEnd) throw new SyntaxProblem('unclosed group', openSpan);
      const flagsStart = cursor.at;
      const flags = this.#readFlags();
      const isWholeGroup = cursor.character === ')';
      if (isWholeGroup && cursor.at === flagsStart) {
        throw new SyntaxProblem('repetition operator missing expression', inner);
      }
      cursor.bump();
      this.#setFlags(flags);
      if (isWholeGroup) return undefined;
    } else index = ++this.#groupCount;

    const { tree, depth } = this.#readAlternation(groupDepth + 1);
    if (cursor.isAtEnd) throw new SyntaxProblem('unclosed group', openSpan);
    if (depth >= nestingMax) throw tooDeep(cursor.from(openSpan.start));
    cursor.bump();
    this.#setFlags(flagsOutside);
    return { tree: index === 0 ? tree : { kind: 'group', index, part: tree }, depth: depth + 1 };
  }

  #setFlags(flags: Flags): void {
    this.#flags = flags;
    this.#cursor.ignoreSpace = flags.x;
  }

  #readFlags(): Flags {
    const cursor = this.#cursor;
    const seen = new Map<string, PatternSpan>();
    const flags = { ...this.#flags };
    let dangling: PatternSpan | undefined;
    while (cursor.character !== ':' && cursor.character !== ')') {
      const { character, characterSpan } = cursor;
      const original = seen.get(character);
      if (character === '-') {
        if (original !== undefined) {
          throw new SyntaxProblem('flag negation operator repeated', characterSpan, original);
        }
        dangling = characterSpan;
      } else {
        dangling = undefined;
        if (!/^[imsURux]$/.test(character)) throw new SyntaxProblem('unrecognized flag', characterSpan);
        if (original !== undefined) throw new SyntaxProblem('duplicate flag', characterSpan, original);
        const isOn = !seen.has('-');
        flags[character as Flag] = isOn;
      }
      seen.set(character, characterSpan);
      cursor.bump();
      if (cursor.isAtEnd) throw new SyntaxProblem('expected flag but got end of regex', cursor.here);
    }
    if (dangling !== undefined) throw new SyntaxProblem('dangling flag negation operator', dangling);
    return flags;
  }

  #readName(index: number): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    const first = /^[_\p{Alphabetic}]$/u;
    const others = /^[_.[\]\p{Alphabetic}\p{N}]$/u;
    for (; !cursor.isAtEnd && cursor.character !== '>'; cursor.bump()) {
      if (!(cursor.at === start ? first : others).test(cursor.character)) {
        throw new SyntaxProblem('invalid capture group character', cursor.characterSpan);
      }
    }
    if (cursor.isAtEnd) throw new SyntaxProblem('unclosed capture group name', cursor.here);
    const span = cursor.from(start);
    const name = cursor.source.slice(span.start, span.end);
    if (name === '') throw new SyntaxProblem('empty capture group name', span);
    const original = this.#nameSpans.get(name);
    if (original !== undefined) throw new SyntaxProblem('duplicate capture group name', span, original);
    cursor.bump();
    this.#names.set(name, index);
    this.#nameSpans.set(name, span);
  }
}

/** The groups that exist for Rust's regex: those in a part that is repeated zero times do not. */
function groupsOf(tree: PatternTree): number[] {
  if (tree.kind === 'repeat' && tree.max === 0) return [];
  const inner = partsOf(tree).flatMap(groupsOf);
  return tree.kind === 'group' ? [tree.index, ...inner] : inner;
}

/** A placeholder for a part that the limit of the program's size will refuse anyway. */
const tooLarge: PatternTree = {
  kind: 'repeat',
  part: { kind: 'set', set: new ByteSet() },
  min: instructionsMax + 1,
  max: instructionsMax + 1,
  greedy: true,
};

function tooDeep(span: PatternSpan): SyntaxProblem {
  return new SyntaxProblem(`exceed the maximum number of nested parentheses/brackets (${nestingMax})`, span);
}
