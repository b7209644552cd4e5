import { readBytes } from '#text';

/**
 * Finds many texts in one pass: an Aho-Corasick automaton over bytes. Bytes that occur in no literal share one column,
 * rows are numbered so that the number of a state shows whether it reports, and everything is stored in flat typed
 * arrays.
 *
 * While no literal is partially matched, pairs of bytes that start none are skipped by a table of pairs, which is small
 * enough to stay in the processor's cache: four of five bytes of ordinary text never reach the automaton, which may
 * take megabytes.
 */
export class LiteralSet {
  readonly literals: readonly string[];
  readonly #classOf = new Uint16Array(256);
  readonly #rowLength: number;
  /** By state and class: the row of the next state. */
  readonly #table: Int32Array;
  /** Rows from this one on belong to states that end a literal, or whose suffix does. */
  readonly #reportingFrom: number;
  /** By reporting state: the first literal that ends there (the others follow in `#sameText`), or -1. */
  readonly #ending: Int32Array;
  /** By reporting state: the row of the longest proper suffix that reports, or -1. */
  readonly #suffixRow: Int32Array;
  /** By literal: the next one with the same text, or -1. */
  readonly #sameText: Int32Array;
  /**
   * Rows before this one belong to states in which at most one byte of a literal is matched. 0 if one of those reports.
   */
  readonly #shallowUntil: number;
  /** By the classes of two bytes: the row they lead to, or 0 if that is a shallow one. */
  readonly #pairs: Int32Array;
  /** The row where `#advance` has stopped. */
  #row = 0;

  /** With `ignoreCase`, ASCII letters match in either case, in literals as in values. */
  constructor(literals: readonly string[], { ignoreCase = false }: { readonly ignoreCase?: boolean } = {}) {
    this.literals = literals;
    const rowLength = numberBytes(this.#classOf, literals, ignoreCase);
    this.#rowLength = rowLength;
    const trie = buildTrie(literals, this.#classOf);
    const { stateCount, order, firstChild, sibling, column, ending, failure, suffix } = trie;
    this.#sameText = trie.sameText;

    const rowOf = new Int32Array(stateCount);
    let quietCount = 0;
    for (let state = 0; state < stateCount; state++) {
      if (ending[state] === -1 && suffix[state] === -1) quietCount++;
    }
    let [quiet, reporting] = [0, quietCount];
    for (const state of order) {
      const isQuiet = ending[state] === -1 && suffix[state] === -1;
      rowOf[state] = (isQuiet ? quiet++ : reporting++) * rowLength;
    }
    const reportingFrom = quietCount * rowLength;
    const table = new Int32Array(stateCount * rowLength);
    const [endings, suffixRows] = [new Int32Array(reporting - quiet), new Int32Array(reporting - quiet)];
    for (const state of order) {
      const row = rowOf[state]!;
      const failureRow = rowOf[failure[state]!]!;
      // Where no literal continues, the state acts like its longest suffix, whose row is complete by now.
      if (state !== 0) table.copyWithin(row, failureRow, failureRow + rowLength);
      for (let child = firstChild[state]!; child !== 0; child = sibling[child]!)
        table[row + column[child]!] = rowOf[child]!;
      if (row < reportingFrom) continue;
      const index = row / rowLength - quietCount;
      endings[index] = ending[state]!;
      suffixRows[index] = suffix[state] === -1 ? -1 : rowOf[suffix[state]!]!;
    }
    this.#reportingFrom = reportingFrom;
    this.#table = table;
    this.#ending = endings;
    this.#suffixRow = suffixRows;
    const shallowCount = 1 + trie.roots.filter((child) => child !== 0).length;
    const isShortQuiet = order.subarray(0, shallowCount).every((state) => rowOf[state]! < reportingFrom);
    this.#shallowUntil = isShortQuiet ? shallowCount * rowLength : 0;
    this.#pairs = listPairs(table, rowLength, this.#shallowUntil);
  }

  /** Bytes of the automaton's table, which is most of what the set occupies. */
  get tableBytes(): number {
    return this.#table.byteLength;
  }

  /** Whether any of the literals occurs. */
  test(value: string): boolean {
    if (this.#reportingFrom === 0) return true;
    return this.#advance(readBytes(value), value.length, 0, 0) !== -1;
  }

  /**
   * Calls `onHit` with the index of a literal and the position after it, for every occurrence, in the order of their
   * ends. `onHit` must not search: that would overwrite the bytes that are being read.
   */
  scan(value: string, onHit: (literal: number, end: number) => void): void {
    const { length } = value;
    const bytes = readBytes(value);
    let row = 0;
    for (let at = 0; at !== -1; at = this.#advance(bytes, length, at, row), row = this.#row) {
      if (row < this.#reportingFrom) continue;
      for (let state = row; state !== -1; state = this.#suffixRow[this.#reportIndex(state)]!) {
        let literal = this.#ending[this.#reportIndex(state)]!;
        for (; literal !== -1; literal = this.#sameText[literal]!) onHit(literal, at);
      }
    }
  }

  /**
   * Sets `marks[literal]` to 1 for each literal that occurs; returns true if any mark is new. Linear however the
   * literals overlap: the reports of a state are followed only until one is already marked, because then all later ones
   * are too.
   */
  mark(value: string, marks: Uint8Array): boolean {
    const { length } = value;
    const bytes = readBytes(value);
    let isNew = false;
    let row = 0;
    for (let at = 0; at !== -1; at = this.#advance(bytes, length, at, row), row = this.#row)
      if (row >= this.#reportingFrom && this.#markState(row, marks)) isNew = true;
    return isNew;
  }

  /**
   * Continues from a position and the row of its state, up to the next state that reports: sets `#row` to its row and
   * returns the position after it; -1 if there is none.
   */
  #advance(bytes: Uint8Array, length: number, from: number, fromRow: number): number {
    const table = this.#table;
    const classOf = this.#classOf;
    const pairs = this.#pairs;
    const rowLength = this.#rowLength;
    const shallowUntil = this.#shallowUntil;
    const reportingFrom = this.#reportingFrom;
    let row = fromRow;
    for (let at = from; at < length;) {
      if (row < shallowUntil) {
        let first = classOf[bytes[at === 0 ? at++ : at - 1]!]!;
        do {
          if (at >= length) return -1;
          const second = classOf[bytes[at++]!]!;
          row = pairs[first * rowLength + second]!;
          first = second;
        } while (row === 0);
      } else {
        row = table[row + classOf[bytes[at++]!]!]!;
      }
      if (row >= reportingFrom) {
        this.#row = row;
        return at;
      }
    }
    return -1;
  }

  #markState(row: number, marks: Uint8Array): boolean {
    let isNew = false;
    for (let at = row; at !== -1; at = this.#suffixRow[this.#reportIndex(at)]!) {
      let literal = this.#ending[this.#reportIndex(at)]!;
      if (literal !== -1 && marks[literal] === 1) return isNew;
      for (; literal !== -1; literal = this.#sameText[literal]!) {
        marks[literal] = 1;
        isNew = true;
      }
    }
    return isNew;
  }

  #reportIndex(row: number): number {
    return (row - this.#reportingFrom) / this.#rowLength;
  }
}

/** By two classes: the row of the automaton after them, or 0 if at most one byte of a literal is matched there. */
function listPairs(table: Int32Array, rowLength: number, shallowUntil: number): Int32Array {
  if (shallowUntil === 0) return new Int32Array(0);
  const pairs = new Int32Array(rowLength * rowLength);
  for (let first = 0; first < rowLength; first++) {
    const row = table[first]!;
    for (let second = 0; second < rowLength; second++) {
      const behind = table[row + second]!;
      if (behind >= shallowUntil) pairs[first * rowLength + second] = behind;
    }
  }
  return pairs;
}

/** Assigns every byte of the literals its own class, all others class 0, and returns the number of classes. */
function numberBytes(classOf: Uint16Array, literals: readonly string[], ignoreCase: boolean): number {
  let count = 1;
  for (const literal of literals) {
    for (let i = 0; i < literal.length; i++) {
      const byte = literal.charCodeAt(i) & 0xff;
      if (classOf[byte] !== 0) continue;
      classOf[byte] = count;
      const otherCase = byte ^ 0x20;
      const isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
      if (ignoreCase && isLetter) classOf[otherCase] = count;
      count++;
    }
  }
  return count;
}

/** The literals as a tree of states, state 0 for the empty text, and the links of their suffixes. */
interface Trie {
  readonly stateCount: number;
  /** All states, shorter texts first. */
  readonly order: Int32Array;
  /** By class: the child of the empty text, which has many; 0 for none. */
  readonly roots: Int32Array;
  /** By state: its first child, and its next sibling; 0 for none. */
  readonly firstChild: Int32Array;
  readonly sibling: Int32Array;
  /** By state: the class of the byte that leads to it. */
  readonly column: Uint16Array;
  /** By state: the last literal that ends there, or -1. */
  readonly ending: Int32Array;
  /** By state: the state of its longest proper suffix, and of the longest that ends a literal, or -1. */
  readonly failure: Int32Array;
  readonly suffix: Int32Array;
  /** By literal: the one before it with the same text, or -1. */
  readonly sameText: Int32Array;
}

/**
 * Lists with thousands of literals are built while a process starts, before V8 optimises anything: plain loops over
 * arrays.
 */
function buildTrie(literals: readonly string[], classOf: Uint16Array): Trie {
  const statesMax = literals.reduce((sum, literal) => sum + literal.length, 1);
  const [firstChild, sibling] = [new Int32Array(statesMax), new Int32Array(statesMax)];
  const column = new Uint16Array(statesMax);
  const ending = new Int32Array(statesMax).fill(-1);
  const sameText = new Int32Array(literals.length).fill(-1);
  const roots = new Int32Array(256 + 1);
  let stateCount = 1;
  for (let index = 0; index < literals.length; index++) {
    const literal = literals[index]!;
    let state = 0;
    for (let i = 0; i < literal.length; i++) {
      const own = classOf[literal.charCodeAt(i) & 0xff]!;
      let child = state === 0 ? roots[own]! : firstChild[state]!;
      while (child !== 0 && column[child] !== own) child = sibling[child]!;
      if (child === 0) {
        child = stateCount++;
        if (state === 0) roots[own] = child;
        column[child] = own;
        sibling[child] = firstChild[state]!;
        firstChild[state] = child;
      }
      state = child;
    }
    sameText[index] = ending[state]!;
    ending[state] = index;
  }
  const tree = { stateCount, roots, firstChild, sibling, column, ending };
  return { ...tree, sameText, ...linkSuffixes(tree) };
}

type LiteralTree = Pick<Trie, 'stateCount' | 'roots' | 'firstChild' | 'sibling' | 'column' | 'ending'>;

function linkSuffixes({ stateCount, roots, firstChild, sibling, column, ending }: LiteralTree): {
  readonly order: Int32Array;
  readonly failure: Int32Array;
  readonly suffix: Int32Array;
} {
  const [order, failure] = [new Int32Array(stateCount), new Int32Array(stateCount)];
  const suffix = new Int32Array(stateCount).fill(-1);
  let ordered = 1;
  for (let at = 0; at < ordered; at++) {
    const state = order[at]!;
    for (let child = firstChild[state]!; child !== 0; child = sibling[child]!) {
      order[ordered++] = child;
      const own = column[child];
      let [from, found] = [state, 0];
      while (found === 0 && from !== 0) {
        from = failure[from]!;
        found = from === 0 ? roots[own!]! : firstChild[from]!;
        while (found !== 0 && column[found] !== own) found = sibling[found]!;
      }
      failure[child] = found;
      suffix[child] = ending[found] === -1 ? suffix[found]! : found;
    }
  }
  return { order, failure, suffix };
}
