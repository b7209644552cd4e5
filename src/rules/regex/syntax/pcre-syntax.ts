import { nestingMax } from '../limits.ts';
import type { ParseOptions } from '../types.ts';
import { anyByte, ByteSet, lineFeed } from './byte-set.ts';
import type { ParsedPattern } from './parsed.ts';
import { SyntaxProblem } from './pattern-error.ts';
import { readPcreClass } from './pcre-class.ts';
import { type PcreEscape, readPcreEscape } from './pcre-escape.ts';
import { alternate, concat, empty, lengthMax, lengthMin, type PatternTree } from './tree.ts';

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly x: boolean;
  readonly U: boolean;
}

/** The index of a reference by name is a number only after the whole source was parsed. */
interface GroupReference {
  readonly kind: 'backreference';
  index: number;
  readonly ignoreCase: boolean;
}

interface Nested {
  readonly tree: PatternTree;
  readonly depth: number;
}

/**
 * Parses the subset of PCRE that the OWASP rules use, over bytes, with `$` as in DOLLAR_ENDONLY. Not supported:
 * recursion, conditionals, verbs, `\K`, `\G`, `\X`, `\p`.
 */
export function parsePcreSyntax(source: string, options: ParseOptions): ParsedPattern {
  return new PcreParser(source, options).parse();
}

const set = (bytes: ByteSet): PatternTree => ({ kind: 'set', set: bytes });
const literal = (byte: number): PatternTree => set(ByteSet.of(byte));

class PcreParser {
  readonly #source: string;
  readonly #names = new Map<string, number>();
  readonly #groupsInSource: number;
  #at = 0;
  #flags: Flags;
  #groupCount = 0;
  readonly #references: Array<{
    readonly to: string;
    readonly start: number;
    readonly node: GroupReference;
  }> = [];

  constructor(source: string, { ignoreCase = false, dotAll = false, multiLine = false }: ParseOptions) {
    this.#source = source;
    this.#flags = { i: ignoreCase, m: multiLine, s: dotAll, x: false, U: false };
    // Only to distinguish \10 from octal: an upper estimate, as exact as necessary.
    this.#groupsInSource = source.match(/\((?!\?)|\(\?(?:P?<(?![=!])|')/g)?.length ?? 0;
  }

  parse(): ParsedPattern {
    const { tree } = this.#readAlternation(0);
    if (this.#at < this.#source.length) throw this.#problem('unmatched closing parenthesis', this.#at);
    for (const { to, start, node } of this.#references) {
      if (Number.isNaN(node.index)) node.index = this.#names.get(to) ?? 0;
      if (node.index < 1 || node.index > this.#groupCount) {
        throw this.#problem('reference to non-existent subpattern', start);
      }
    }
    return { tree, groupCount: this.#groupCount, groupNames: this.#names };
  }

  #problem(reason: string, start: number, end = start + 1): SyntaxProblem {
    return new SyntaxProblem(reason, { start, end });
  }

  #skipSpace(): void {
    for (;;) {
      if (this.#source.startsWith('(?#', this.#at)) {
        const end = this.#source.indexOf(')', this.#at);
        if (end === -1) throw this.#problem('missing ) after (?# comment', this.#at);
        this.#at = end + 1;
      } else if (this.#flags.x && /[\t-\r ]/.test(this.#source[this.#at] ?? 'end')) this.#at++;
      else if (this.#flags.x && this.#source[this.#at] === '#') {
        const end = this.#source.indexOf('\n', this.#at);
        this.#at = end === -1 ? this.#source.length : end + 1;
      } else return;
    }
  }

  #readAlternation(groupDepth: number): Nested {
    const branches: PatternTree[] = [];
    let items: PatternTree[] = [];
    let depth = 0;
    for (;;) {
      this.#skipSpace();
      const character = this.#source[this.#at];
      if (character === undefined || character === ')') break;
      if (character === '|') {
        this.#at++;
        branches.push(concat(items));
        items = [];
        continue;
      }
      const start = this.#at;
      if (/^(?:[*+?]|\{\d+(?:,\d*)?\})/.test(this.#source.slice(start, start + 16))) {
        throw this.#problem('quantifier does not follow a repeatable item', start);
      }
      for (const atom of this.#readAtoms(groupDepth)) {
        const repeated = this.#readRepetitions(atom);
        items.push(repeated.tree);
        depth = Math.max(depth, repeated.depth);
      }
    }
    branches.push(concat(items));
    return { tree: alternate(branches), depth: depth + 1 };
  }

  /** One atom; several for `\Q...\E`, of which a following quantifier applies only to the last; none for flags. */
  #readAtoms(groupDepth: number): Nested[] {
    const one = (tree: PatternTree): Nested[] => [{ tree, depth: 1 }];
    const start = this.#at;
    const character = this.#source[start]!;
    if (character === '(') return this.#readGroup(groupDepth);
    if (character === '[') {
      const { set: listed, isNegated, end } = readPcreClass(this.#source, start);
      this.#at = end;
      const folded = this.#flags.i ? listed.foldedCase() : listed;
      return one(set(isNegated ? folded.negated() : folded));
    }
    if (character === '\\') {
      const { escape, end } = readPcreEscape(this.#source, start, {
        inClass: false,
        groupCount: this.#groupsInSource,
      });
      this.#at = end;
      return this.#treesOf(escape, start).map((tree) => ({ tree, depth: 1 }));
    }
    this.#at++;
    if (character === '.') return one(set(this.#flags.s ? anyByte : lineFeed.negated()));
    if (character === '^') {
      return one({ kind: 'assert', assertion: this.#flags.m ? 'inner-line-start' : 'start' });
    }
    if (character === '$') return one({ kind: 'assert', assertion: this.#flags.m ? 'line-end' : 'end' });
    return one(this.#byte(character.charCodeAt(0)));
  }

  #byte(byte: number): PatternTree {
    return set(this.#flags.i ? ByteSet.of(byte).foldedCase() : ByteSet.of(byte));
  }

  #treesOf(escape: PcreEscape, start: number): PatternTree[] {
    switch (escape.kind) {
      case 'byte':
        return [this.#byte(escape.byte)];
      case 'set':
        return [set(escape.set)];
      case 'assertion':
        return [{ kind: 'assert', assertion: escape.assertion }];
      case 'quoted':
        return [...Buffer.from(escape.text, 'latin1')].map((byte) => this.#byte(byte));
      case 'reference':
        return [this.#reference(escape.to, start)];
      case 'final-line': {
        const rest = concat([
          { kind: 'repeat', part: literal(0x0a), min: 0, max: 1, greedy: true },
          { kind: 'assert', assertion: 'end' },
        ]);
        return [{ kind: 'look', ahead: true, negative: false, part: rest }];
      }
      default: {
        const single = set(ByteSet.of(0x0a, 0x0b, 0x0c, 0x0d, 0x85));
        return [{ kind: 'atomic', part: alternate([concat([literal(0x0d), literal(0x0a)]), single]) }];
      }
    }
  }

  #reference(to: string, start: number): PatternTree {
    const index = /^-\d+$/.test(to) ? this.#groupCount + 1 + Number(to) : Number(to);
    const node: GroupReference = { kind: 'backreference', index, ignoreCase: this.#flags.i };
    this.#references.push({ to, start, node });
    return node;
  }

  #readRepetitions(atom: Nested): Nested {
    let { tree, depth } = atom;
    for (;;) {
      this.#skipSpace();
      const start = this.#at;
      const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})([?+]?)/.exec(this.#source.slice(start, start + 20));
      if (match === null || (match[3] === '' && match[4] !== '')) return { tree, depth };
      const [text, sign, from, comma, to, suffix] = match;
      this.#at += text.length;
      const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
      let max = sign === '?' ? 1 : Infinity;
      if (sign === undefined) max = comma === '' ? min : to === '' ? Infinity : Number(to);
      if (max < min) throw this.#problem('numbers out of order in {} quantifier', start, this.#at);
      if (min > 65_535 || (max > 65_535 && max !== Infinity)) {
        throw this.#problem('number too big in {} quantifier', start, this.#at);
      }
      if (depth >= nestingMax) throw this.#problem('parentheses are too deeply nested', start);
      depth++;
      const greedy = suffix === '+' || (suffix === '?') === this.#flags.U;
      tree = { kind: 'repeat', part: tree, min, max, greedy };
      if (suffix === '+') tree = atomicOf(tree);
    }
  }

  #readGroup(groupDepth: number): Nested[] {
    const start = this.#at;
    const flagsOutside = this.#flags;
    if (groupDepth >= nestingMax) throw this.#problem('parentheses are too deeply nested', start);
    const opening =
      /^\((?:\?(?:(:)|(<?[=!])|(>)|(?:P?<|')(\w+)[>']|P=(\w+)\)|([imsxU]*(?:-[imsxU]*)?)([:)]))|(?![?*]))/.exec(
        this.#source.slice(start, start + 64),
      );
    if (opening === null)
      throw this.#problem(
        'unrecognized character after (? or (?-',
        start,
        Math.min(start + 3, this.#source.length),
      );
    const [text, , look, atomic, name, reference, flags, flagsEnd] = opening;
    this.#at += text.length;
    if (reference !== undefined) return [{ tree: this.#reference(reference, start), depth: 1 }];
    if (flags !== undefined) {
      this.#flags = withFlags(this.#flags, flags);
      if (flagsEnd === ')') return [];
    }
    const index = name !== undefined || text === '(' ? ++this.#groupCount : 0;
    if (name !== undefined) {
      if (this.#names.has(name)) {
        throw this.#problem('two named subpatterns have the same name', start, this.#at);
      }
      this.#names.set(name, index);
    }
    const { tree, depth } = this.#readAlternation(groupDepth + 1);
    if (this.#at >= this.#source.length) throw this.#problem('missing closing parenthesis', start);
    if (depth >= nestingMax) throw this.#problem('parentheses are too deeply nested', start);
    this.#at++;
    this.#flags = flagsOutside;
    if (look !== undefined) return [{ tree: this.#lookAround(look, tree, start), depth: depth + 1 }];
    const part: PatternTree = index === 0 ? tree : { kind: 'group', index, part: tree };
    return [{ tree: atomic === undefined ? part : atomicOf(part), depth: depth + 1 }];
  }

  #lookAround(sign: string, part: PatternTree, start: number): PatternTree {
    const ahead = !sign.startsWith('<');
    const branches = part.kind === 'alternate' ? part.parts : [part];
    if (!ahead && branches.some((branch) => lengthMin(branch) !== lengthMax(branch))) {
      throw this.#problem('lookbehind assertion is not fixed length', start, this.#at);
    }
    return { kind: 'look', ahead, negative: sign.endsWith('!'), part };
  }
}

function withFlags(flags: Flags, text: string): Flags {
  const [on = '', off = ''] = text.split('-');
  const changed: Record<string, boolean> = {};
  for (const flag of on) changed[flag] = true;
  for (const flag of off) changed[flag] = false;
  return { ...flags, ...changed };
}

/**
 * A greedy repetition of one set is atomic with just an assertion: either it has taken all it may, or the next byte is
 * not in the set. Other parts need the backtracking engine.
 */
function atomicOf(tree: PatternTree): PatternTree {
  if (tree.kind === 'set' || tree.kind === 'assert') return tree;
  if (tree.kind !== 'repeat' || tree.part.kind !== 'set' || !tree.greedy)
    return { kind: 'atomic', part: tree };
  const { part, min, max } = tree;
  const stop: PatternTree = { kind: 'assert', assertion: { notNext: part.set } };
  if (max === 0) return empty;
  if (max === Infinity) return concat([tree, stop]);
  const full: PatternTree = { ...tree, min: max };
  return min === max ? full : alternate([full, concat([{ ...tree, max: max - 1 }, stop])]);
}
